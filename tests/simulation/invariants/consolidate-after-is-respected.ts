import { findCondition, isConditionTrue, karpenterKinds, labels } from '@kerf/apis'
import { parseMilliseconds } from './duration.ts'
import { claimExpiry } from './expiry.ts'
import type { MakeInvariant } from './invariant.ts'

/** Kerf does not consolidate a node before its NodePool's `consolidateAfter` has passed. */
export const consolidateAfterIsRespected: MakeInvariant = (environment, report) => ({
  name: 'consolidate-after-is-respected',
  acts: ({ verb, kind, ref }) => {
    if (
      verb !== 'delete' ||
      kind?.kind !== karpenterKinds.NodeClaim.kind ||
      environment.clockSkews.near(environment.clock.monotonic())
    )
      return
    const claim = environment.claims().find(({ metadata }) => metadata.name === ref?.name)
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return
    if (environment.clock.now() >= claimExpiry(claim)) return
    const reason = findCondition(claim, 'DisruptionReason')
    if (reason?.status !== 'True' || (reason.reason !== 'Empty' && reason.reason !== 'Underutilized')) return
    const pool = environment
      .nodePools()
      .find(({ metadata }) => metadata.name === claim.metadata.labels?.[labels.nodePool])
    const after = parseMilliseconds(pool?.spec.disruption?.consolidateAfter) ?? 0
    const initialized = findCondition(claim, 'Initialized')
    if (!isConditionTrue(claim, 'Initialized'))
      report(`${claim.metadata.name} was consolidated before it was initialised`)
    // Timestamps of conditions have whole seconds.
    else if (environment.clock.now() + 1_000 < Date.parse(initialized?.lastTransitionTime ?? '') + after) {
      report(`${claim.metadata.name} was consolidated within its consolidateAfter of ${after / 1_000} s`)
    }
  },
})
