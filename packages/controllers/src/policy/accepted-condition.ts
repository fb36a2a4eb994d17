import type { Condition, KubeObject, Milliseconds } from '@kerf/apis'
import { type PolicyVerdict, withCondition } from './policy-condition.ts'

/** The type of the condition that reports whether a policy is in effect. */
export const ACCEPTED = 'Accepted'

/** Whether a policy is in effect, and the reason if it is not. */
export interface Acceptance extends PolicyVerdict {
  readonly reason: 'Accepted' | 'Conflicted' | 'Invalid' | 'TargetNotFound'
}

interface Policy extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] }
}

/** Returns the conditions of a policy with `Accepted` set. Returns the same array if nothing changes. */
export const withAcceptance = (policy: Policy, acceptance: Acceptance, now: Milliseconds): readonly Condition[] =>
  withCondition(policy.status?.conditions ?? [], ACCEPTED, acceptance, policy.metadata.generation, now)
