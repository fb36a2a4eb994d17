import {
  annotations,
  formatLabelSelector,
  type Milliseconds,
  matchesLabelSelector,
  type Namespace,
  type NodePool,
  tryParseDuration,
} from '@kerf/apis'
import { type AttachedPolicies, awakeUntil } from '@kerf/controllers'
import { longestAwake, longestSleep } from '@kerf/engine'
import { fencedPools } from './fence.ts'
import type { PolicyProblem } from './policy-problems.ts'

const remedies = {
  Conflicted: 'remove the section from one of the policies, or the NodePool from the targets of one of them',
  Invalid: 'correct the field, or remove the NodePool from the targets',
  TargetNotFound: 'correct the name of the NodePool, or create it',
} as const

const MINUTE: Milliseconds = 60_000
/** A sleep or wake period shorter than this is reported, because nodes hardly start or drain in less time. */
const SHORT = 10 * MINUTE

/** Returns the problems of the NodePoolPolicies in a cluster. */
export const poolPolicyProblems = (
  attached: AttachedPolicies,
  pools: readonly NodePool[],
  namespaces: readonly Namespace[],
): readonly PolicyProblem[] => {
  const found: PolicyProblem[] = []
  for (const [policy, verdicts] of attached.verdicts) {
    const add = (problem: string, remedy: string): void => {
      found.push({ policy: `NodePoolPolicy ${policy}`, problem, remedy })
    }
    if (verdicts.length === 0)
      add('has no effect: no NodePool has the labels of spec.targetSelector', 'correct the selector')
    for (const { pool, reason, message } of verdicts) {
      if (reason !== 'Accepted') add(`does not apply to NodePool "${pool}" as written: ${message}`, remedies[reason])
    }
  }
  for (const { metadata, spec } of new Set(attached.applied.sleep.values())) {
    const { deadline = '', awake = [] } = spec.sleep ?? {}
    const after = tryParseDuration(deadline)
    const policy = `NodePoolPolicy ${metadata.name}`
    if (after !== undefined && after >= longestSleep(awake))
      found.push({
        policy,
        problem: `spec.sleep.deadline ${deadline} has no effect: no sleep is that long`,
        remedy: 'set a shorter deadline, or remove it',
      })
    for (const [state, longest] of [
      ['asleep', longestSleep(awake)],
      ['awake', longestAwake(awake)],
    ] as const)
      if (longest > 0 && longest < SHORT)
        found.push({
          policy,
          problem: `spec.sleep.awake: the NodePools are ${state} for at most ${longest / MINUTE} min, and nodes need longer to start or drain`,
          remedy: 'correct start and end',
        })
  }
  for (const pool of pools) {
    const policy = attached.applied.sleep.get(pool.metadata.name)
    if (policy !== undefined && Number.isNaN(awakeUntil(pool)))
      found.push({
        policy: `NodePoolPolicy ${policy.metadata.name}`,
        problem: `the annotation ${annotations.awakeUntil} of NodePool "${pool.metadata.name}" has no effect, because "${pool.metadata.annotations?.[annotations.awakeUntil] ?? ''}" is not a time`,
        remedy: 'set a time in the format of RFC 3339, for example 2026-12-24T23:00:00Z',
      })
  }
  for (const { pool, policy, access, taints } of fencedPools(attached, pools)) {
    const name = `NodePoolPolicy ${policy.metadata.name}`
    if (taints.length === 0)
      found.push({
        policy: name,
        problem: `access to NodePool "${pool.metadata.name}" is not enforced: its template has no taint, so kube-scheduler can bind every pod to its nodes`,
        remedy:
          'add a taint with the effect NoSchedule to spec.template.spec.taints, and apply the output of kerf policy fence',
      })
    const selector = access.namespaceSelector
    if (selector !== undefined && !namespaces.some(({ metadata }) => matchesLabelSelector(selector, metadata.labels)))
      found.push({
        policy: name,
        problem: `no namespace has the labels ${formatLabelSelector(selector)}, so no pod may use NodePool "${pool.metadata.name}"`,
        remedy: 'correct the selector, or label the namespaces',
      })
  }
  return found
}
