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
 * The desired condition. If `change` is set, the condition is set accordingly, otherwise it should be absent. `after` is the time until the
 * next check, if nothing changes before.
 */
export interface ConditionVerdict {
  readonly change?: ConditionChange
  readonly after?: Milliseconds
}

/**
 * Returns the time from which consolidateAfter is counted, or undefined if the node is not initialized. Ignores timestamps in the future.
 */
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
 * Returns the pool's consolidateAfter. An invalid value counts as Never. While the operation consolidate-now is active, it is 0.
 * The result is cached per object, because objects of informers are immutable.
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
 * (`docs/spec/lifecycle.md#other-claim-controllers`). The consolidation policy does not matter: a node in use of a WhenEmpty pool is also
 * Consolidatable.
 */
export const consolidatable = (claim: NodeClaim, pool: NodePool, now: Milliseconds): ConditionVerdict => {
  const after = poolConsolidateAfter(pool)
  const since = quietSince(claim, now)
  if (after === 'Never' || since === undefined) return {}
  const left = since + after - now
  return after !== 0 && left > 0 ? { after: left } : { change: { type: 'Consolidatable', status: 'True' } }
}
