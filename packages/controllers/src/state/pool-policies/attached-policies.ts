import {
  type LabelSelector,
  type NodePool,
  type NodePoolPolicy,
  qualifiedNameProblem,
  selectorRequirementProblem,
  selectorRequirements,
  targetsPool,
} from '@kerf/apis'
import { hoursProblem } from '@kerf/engine'

/** The sections of a NodePoolPolicy. Conflicts are decided for each section separately. */
export const policySections = ['access', 'sleep'] as const

export type PolicySection = (typeof policySections)[number]

/** Whether a policy applies to one NodePool, and the reason if it does not. */
export interface TargetVerdict {
  readonly pool: string
  readonly reason: 'Accepted' | 'Conflicted' | 'Invalid' | 'TargetNotFound'
  readonly message: string
}

/** The policies that apply to each NodePool. */
export interface AttachedPolicies {
  /** The policy that applies to each NodePool, keyed by section and NodePool name. */
  readonly applied: Readonly<Record<PolicySection, ReadonlyMap<string, NodePoolPolicy>>>
  /** The verdicts about the targets of each policy, keyed by policy name. A policy without targets has no entry. */
  readonly verdicts: ReadonlyMap<string, readonly TargetVerdict[]>
}

/** Objects from files have no creation time, so they count as the newest. */
const LATEST = '9'

const created = ({ metadata }: NodePoolPolicy): string => metadata.creationTimestamp ?? LATEST

const byAge = (a: NodePoolPolicy, b: NodePoolPolicy): number => {
  if (created(a) !== created(b)) return created(a) < created(b) ? -1 : 1
  return a.metadata.name < b.metadata.name ? -1 : 1
}

/** Returns why the first of two policies applies. */
const precedence = (winner: NodePoolPolicy, policy: NodePoolPolicy): string =>
  `NodePoolPolicy "${winner.metadata.name}" ${created(winner) < created(policy) ? 'is older' : 'comes first by name'}`

const selectorProblem = (field: string, selector: LabelSelector | undefined): string | undefined => {
  for (const requirement of selector === undefined ? [] : selectorRequirements(selector)) {
    const problem = qualifiedNameProblem(requirement.key) ?? selectorRequirementProblem(requirement)
    if (problem !== undefined) return `${field}: ${problem}`
  }
  return undefined
}

/** Returns the names of the NodePools that a policy targets, including those that do not exist. */
const targetNames = (policy: NodePoolPolicy, pools: ReadonlyMap<string, NodePool>): readonly string[] =>
  policy.spec.targetRefs !== undefined
    ? [...new Set(policy.spec.targetRefs.map(({ name }) => name))].sort()
    : [...pools.values()]
        .filter((pool) => targetsPool(policy, pool))
        .map(({ metadata }) => metadata.name)
        .sort()

/** Returns the error in the `access` section, or undefined if there is none. */
export const accessProblem = ({ spec }: NodePoolPolicy): string | undefined =>
  selectorProblem('spec.access.namespaceSelector', spec.access?.namespaceSelector)

/** Returns the error in the `sleep` section, or undefined if there is none. */
export const sleepProblem = ({ spec: { sleep } }: NodePoolPolicy): string | undefined => {
  const problem = sleep === undefined ? undefined : hoursProblem(sleep.timeZone, sleep.awake)
  return problem === undefined ? undefined : `spec.sleep.${problem}`
}

/** Returns the error in a policy with respect to a NodePool, or undefined if there is none. */
const policyProblem = (policy: NodePoolPolicy, pool: NodePool | undefined): string | undefined =>
  selectorProblem('spec.targetSelector', policy.spec.targetSelector) ??
  accessProblem(policy) ??
  sleepProblem(policy) ??
  (policy.spec.sleep !== undefined && pool?.spec.replicas !== undefined
    ? 'section sleep: a static NodePool does not sleep; set its spec.replicas instead, for example with a CronJob'
    : undefined)

/**
 * Returns which policy applies to each NodePool (`docs/spec/policies.md#nodepoolpolicy`). For each section, the oldest policy applies.
 * Among policies of the same age, the first by name applies. An invalid policy is not skipped: if its `access` section is invalid, no pod
 * may use the NodePool, and if its `sleep` section is invalid, the NodePool does not sleep.
 */
export const attachPolicies = (policies: Iterable<NodePoolPolicy>, pools: Iterable<NodePool>): AttachedPolicies => {
  const byName = new Map(Array.from(pools, (pool) => [pool.metadata.name, pool]))
  const applied = {
    access: new Map<string, NodePoolPolicy>(),
    sleep: new Map<string, NodePoolPolicy>(),
  } satisfies Record<PolicySection, unknown>
  const verdicts = new Map<string, readonly TargetVerdict[]>()
  const inForce = [...policies].filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  for (const policy of inForce.sort(byAge)) {
    verdicts.set(
      policy.metadata.name,
      targetNames(policy, byName).map((pool): TargetVerdict => {
        if (!byName.has(pool)) return { pool, reason: 'TargetNotFound', message: 'the NodePool does not exist' }
        const lost: string[] = []
        for (const section of policySections) {
          if (policy.spec[section] === undefined) continue
          const winner = applied[section].get(pool)
          if (winner === undefined) applied[section].set(pool, policy)
          else lost.push(`section ${section}: ${precedence(winner, policy)} and applies instead`)
        }
        const problem = policyProblem(policy, byName.get(pool))
        if (problem !== undefined) return { pool, reason: 'Invalid', message: problem }
        return lost.length > 0
          ? { pool, reason: 'Conflicted', message: lost.join('; ') }
          : { pool, reason: 'Accepted', message: '' }
      }),
    )
  }
  return { applied, verdicts }
}
