import { type Condition, formatTime, type Milliseconds } from '@kerf/apis'

/** The status of one condition of a policy, without its timestamps. */
export interface PolicyVerdict {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/**
 * Returns the conditions with the condition of this type set. Returns the same array if nothing changes. `generation` is the generation of
 * the policy.
 */
export const withCondition = (
  present: readonly Condition[],
  type: string,
  verdict: PolicyVerdict,
  generation: number | undefined,
  now: Milliseconds,
): readonly Condition[] => {
  const before = present.find((each) => each.type === type)
  const isSame =
    before?.status === verdict.status &&
    before.reason === verdict.reason &&
    before.message === verdict.message &&
    before.observedGeneration === generation
  if (isSame) return present
  const next: Condition = {
    type,
    ...verdict,
    lastTransitionTime:
      before?.status === verdict.status && before.lastTransitionTime !== undefined
        ? before.lastTransitionTime
        : formatTime(now),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  }
  return [...present.filter((each) => each.type !== type), next]
}
