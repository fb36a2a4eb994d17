import {
  type ConditionChange,
  findCondition,
  type Milliseconds,
  type NodeClaim,
  type NodePool,
  parseNillableDuration,
  parsePastTime,
} from '@kerf/apis'
import { oncePerObject } from '@kerf/engine'
import { readOperations } from '../modes/pool-operation.ts'

/**
 * The result of computing a condition. If `change` is set, the condition should have that value, otherwise it should be absent. `after` is
 * the time until the next check if nothing changes before.
 */
export interface ConditionVerdict {
  readonly change?: ConditionChange
  readonly after?: Milliseconds
}

/** Returns the time at which consolidateAfter starts, or undefined if the node is not initialized. Ignores timestamps in the future. */
export const quietSince = (
  claim: NodeClaim,
  now: Milliseconds = Number.POSITIVE_INFINITY,
): Milliseconds | undefined => {
  const initialized = findCondition(claim, 'Initialized')
  if (initialized?.status !== 'True') return undefined
  return (
    parsePastTime(claim.status?.lastPodEventTime, now) ??
    parsePastTime(initialized.lastTransitionTime, now) ??
    parsePastTime(claim.metadata.creationTimestamp, now)
  )
}

/**
 * Returns the pool's consolidateAfter, or 0 while the operation consolidate-now is active. An invalid value counts as Never. The result is
 * cached per object, because objects of informers are immutable.
 */
export const poolConsolidateAfter = oncePerObject((pool: NodePool): Milliseconds | 'Never' => {
  if (readOperations(pool).consolidate !== undefined) return 0
  try {
    return parseNillableDuration(pool.spec.disruption?.consolidateAfter ?? '0s')
  } catch {
    return 'Never'
  }
})

/**
 * Returns whether consolidateAfter has passed since a pod was last added to or removed from the node
 * (`docs/spec/lifecycle.md#other-claim-controllers`). The consolidation policy has no influence: in a WhenEmpty pool, a node with pods is
 * also Consolidatable.
 */
export const consolidatable = (claim: NodeClaim, pool: NodePool, now: Milliseconds): ConditionVerdict => {
  const after = poolConsolidateAfter(pool)
  const since = quietSince(claim, now)
  if (after === 'Never' || since === undefined) return {}
  const left = since + after - now
  return after !== 0 && left > 0 ? { after: left } : { change: { type: 'Consolidatable', status: 'True' } }
}
