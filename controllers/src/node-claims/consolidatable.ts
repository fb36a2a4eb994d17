import {
  type ConditionChange,
  findCondition,
  type Milliseconds,
  type NodeClaim,
  type NodePool,
  parseNillableDuration,
  pastTimeOf,
} from '@kerf/apis'
import { oncePerObject } from '@kerf/engine'
import { operationsOf } from '../operations/pool-operation.ts'

/** What a condition should be now: set or absent; and when to check again if nothing changes before. */
export interface ConditionVerdict {
  readonly change?: ConditionChange
  readonly after?: Milliseconds
}

/** From when the wait of consolidateAfter counts, if it has begun. A time in the future is passed over for an older one. */
export const quietSince = (
  claim: NodeClaim,
  now: Milliseconds = Number.POSITIVE_INFINITY,
): Milliseconds | undefined => {
  const initialized = findCondition(claim, 'Initialized')
  if (initialized?.status !== 'True') return undefined
  return (
    pastTimeOf(claim.status?.lastPodEventTime, now) ??
    pastTimeOf(initialized.lastTransitionTime, now) ??
    pastTimeOf(claim.metadata.creationTimestamp, now)
  )
}

/** A value that cannot be read consolidates nothing, and who asks for consolidation now waits for nothing. Objects of informers are never changed, so each pool is read once. */
export const consolidateAfterOf = oncePerObject((pool: NodePool): Milliseconds | 'Never' => {
  if (operationsOf(pool).consolidate !== undefined) return 0
  try {
    return parseNillableDuration(pool.spec.disruption?.consolidateAfter ?? '0s')
  } catch {
    return 'Never'
  }
})

/**
 * Whether nothing has come to or left the node for consolidateAfter (`docs/spec/lifecycle.md#other-claim-controllers`).
 * The policy is not asked: a busy node of a WhenEmpty pool is Consolidatable too.
 */
export const consolidatable = (claim: NodeClaim, pool: NodePool, now: Milliseconds): ConditionVerdict => {
  const after = consolidateAfterOf(pool)
  const since = quietSince(claim, now)
  if (after === 'Never' || since === undefined) return {}
  const left = since + after - now
  return after !== 0 && left > 0 ? { after: left } : { change: { type: 'Consolidatable', status: 'True' } }
}
