import { karpenterKinds, labels, type Milliseconds, policyKinds } from '@kerf/apis'
import { drawNight, RESTRICTED_POOLS } from '../runs/pool-policies.ts'
import type { MakeInvariant } from './invariant.ts'

const MINUTE: Milliseconds = 60_000
/** How long after its decision Kerf may still launch a node. A delayed call takes this long. */
const LATE: Milliseconds = 60_000

/**
 * Kerf launches no node of a NodePool that sleeps. The invariant `pods-run` and the invariants for drains check that sleep loses no pods.
 */
export const sleepingPoolsLaunchNothing: MakeInvariant = (environment, report) => {
  const night = drawNight(environment.run.seed)
  return {
    name: 'sleeping-pools-launch-nothing',
    acted: ({ verb, kind, ref }) => {
      if (night === undefined || verb !== 'create' || kind?.kind !== karpenterKinds.NodeClaim.kind) return
      if (!environment.list(policyKinds.NodePoolPolicy).some(({ metadata }) => metadata.name === 'night')) return
      const now = environment.clock.monotonic()
      // With a wrong clock, Kerf is wrong about the time at which the NodePool sleeps, so nothing is checked.
      if (environment.clockSkews.near(now)) return
      if (now < night.from * MINUTE + LATE || now >= night.until * MINUTE) return
      const claim = environment.claims().find(({ metadata }) => metadata.name === ref?.name)
      const pool = claim?.metadata.labels?.[labels.nodePool] ?? ''
      if (RESTRICTED_POOLS.includes(pool))
        report(`NodeClaim ${ref?.name} is launched for NodePool ${pool}, which sleeps`)
    },
  }
}
