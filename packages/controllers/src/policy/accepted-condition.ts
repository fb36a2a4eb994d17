import { type Condition, formatTime, type KubeObject, type Milliseconds } from '@kerf/apis'

/** The type of the condition that says whether a policy is applied. */
const ACCEPTED = 'Accepted'

/** Whether a policy is applied, and why not. */
export interface Acceptance {
  readonly status: 'True' | 'False'
  readonly reason: 'Accepted' | 'Invalid'
  readonly message: string
}

interface Policy extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] }
}

/** Returns the conditions of a policy with `Accepted` set. If nothing changes, returns the same array. */
export const withAcceptance = (policy: Policy, acceptance: Acceptance, now: Milliseconds): readonly Condition[] => {
  const present = policy.status?.conditions ?? []
  const before = present.find(({ type }) => type === ACCEPTED)
  const { generation } = policy.metadata
  const isSame =
    before?.reason === acceptance.reason &&
    before.message === acceptance.message &&
    before.observedGeneration === generation
  if (isSame) return present
  const next: Condition = {
    type: ACCEPTED,
    ...acceptance,
    lastTransitionTime:
      before?.status === acceptance.status && before.lastTransitionTime !== undefined
        ? before.lastTransitionTime
        : formatTime(now),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  }
  return [...present.filter(({ type }) => type !== ACCEPTED), next]
}
