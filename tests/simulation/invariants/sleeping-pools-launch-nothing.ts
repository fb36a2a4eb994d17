import { karpenterKinds, labels, type Milliseconds, policyKinds } from '@kerf/apis'
import { drawNight, RESTRICTED_POOLS } from '../runs/pool-policies.ts'
import type { MakeInvariant } from './invariant.ts'

const MINUTE: Milliseconds = 60_000
/** How long after its decision Kerf may still launch a node. A call that a fault delays takes this long. */
const LATE: Milliseconds = 60_000

/** Kerf launches no node of a NodePool that sleeps. Sleep loses no pod either: `pods-run` and the invariants of drains hold in these runs. */
export const sleepingPoolsLaunchNothing: MakeInvariant = (environment, report) => {
  const night = drawNight(environment.run.seed)
  return {
    name: 'sleeping-pools-launch-nothing',
    acted: ({ verb, kind, ref }) => {
      if (night === undefined || verb !== 'create' || kind?.kind !== karpenterKinds.NodeClaim.kind) return
      if (!environment.list(policyKinds.NodePoolPolicy).some(({ metadata }) => metadata.name === 'night')) return
      const now = environment.clock.monotonic()
      // With a wrong clock, Kerf takes another time for the beginning of the awake hours.
      if (environment.clockSkews.near(now)) return
      if (now < night.from * MINUTE + LATE || now >= night.until * MINUTE) return
      const claim = environment.claims().find(({ metadata }) => metadata.name === ref?.name)
      const pool = claim?.metadata.labels?.[labels.nodePool] ?? ''
      if (RESTRICTED_POOLS.includes(pool))
        report(`NodeClaim ${ref?.name} is launched for NodePool ${pool}, which sleeps`)
    },
  }
}
