import { type Milliseconds, type NodePoolPolicy, parseTime, tryParseDuration } from '@kerf/apis'
import type { PoolSleep } from './pool-sleep.ts'

/** The condition of a target with a section `sleep`: whether the NodePool sleeps. */
export const SLEEPING = 'Sleeping'

/**
 * Returns the time by which the last nodes of a sleeping NodePool are terminated (`docs/spec/policies.md#deadline-of-sleep`), or undefined
 * without a deadline. The deadline counts from the time when the NodePool falls asleep, but never from before the condition `Sleeping`
 * becomes True. So a policy that is created or changed at night does not terminate nodes at once. Until the policy has this condition,
 * there is no deadline.
 */
export const sleepDeadline = (
  policy: NodePoolPolicy,
  pool: string,
  { state, deadline }: PoolSleep,
): Milliseconds | undefined => {
  if (state !== 'asleep' || deadline === undefined) return undefined
  const condition = policy.status?.targets
    ?.find(({ name }) => name === pool)
    ?.conditions.find(({ type }) => type === SLEEPING)
  const recorded = condition?.status === 'True' ? parseTime(condition.lastTransitionTime) : undefined
  const after = tryParseDuration(policy.spec.sleep?.deadline ?? '')
  return recorded === undefined || after === undefined ? undefined : Math.max(deadline, recorded + after)
}
