import type { Condition, KubeObject, Milliseconds } from '@kerf/apis'
import { type PolicyVerdict, withCondition } from './policy-condition.ts'

/** The type of the condition that says whether a policy is applied. */
export const ACCEPTED = 'Accepted'

/** Whether a policy is applied, and why not. */
export interface Acceptance extends PolicyVerdict {
  readonly reason: 'Accepted' | 'Conflicted' | 'Invalid' | 'TargetNotFound'
}

interface Policy extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] }
}

/** Returns the conditions of a policy with `Accepted` set. If nothing changes, returns the same array. */
export const withAcceptance = (policy: Policy, acceptance: Acceptance, now: Milliseconds): readonly Condition[] =>
  withCondition(policy.status?.conditions ?? [], ACCEPTED, acceptance, policy.metadata.generation, now)
