import { type Milliseconds, type NodePoolPolicy, parseTime, tryParseDuration } from '@kerf/apis'
import type { PoolSleep } from './pool-sleep.ts'

/** The condition of a target with a `sleep` section: whether the NodePool is asleep. */
export const SLEEPING = 'Sleeping'

/**
 * Returns the deadline for terminating the last nodes of a sleeping NodePool (`docs/spec/policies.md#deadline-of-sleep`), or undefined if
 * there is none. The deadline starts when the NodePool falls asleep, but not before the `Sleeping` condition becomes True. So a policy that
 * is created or changed at night does not terminate nodes at once. Until the policy has this condition, there is no deadline.
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
