import type { NodePool, NodeSelectorTerm, Pod } from '@kerf/apis'
import type { Harness } from './harness.ts'
import { type InstanceTypeRow, type Offering, offeringLabels } from './instance-types.ts'
import { expressionHolds, type Labels, podSelects, presentName, termHolds } from './label-sets.ts'
import { computeVolumeDemand } from './volumes.ts'

/** Returns the labels that a new node gets from its NodePool rather than from its instance type or offering. */
const poolLabels = (pool: NodePool): Labels => {
  const { group, kind, name } = pool.spec.template.spec.nodeClassRef
  return {
    ...pool.spec.template.metadata?.labels,
    'karpenter.sh/nodepool': pool.metadata.name,
    [`${group}/${kind.toLowerCase()}`]: name,
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
  }
}

/**
 * Returns every combination of values for the labels whose values the NodePool does not fix. Considers only values that make a difference
 * for the pods.
 */
const openLabels = (pool: NodePool, fixed: ReadonlySet<string>, pods: readonly Pod[]): readonly Labels[] => {
  const requirements = pool.spec.template.spec.requirements.filter(({ key }) => !fixed.has(presentName(key)))
  let ways: readonly Labels[] = [{}]
  for (const key of new Set(requirements.map((each) => presentName(each.key)))) {
    const own = requirements.filter((each) => presentName(each.key) === key)
    const named = new Set(own.filter(({ operator }) => operator === 'In').flatMap(({ values = [] }) => values))
    if (named.size === 0) {
      for (const pod of pods) {
        const selected = pod.spec.nodeSelector?.[key]
        if (selected !== undefined) named.add(selected)
        const terms =
          pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
        for (const each of terms.flatMap(({ matchExpressions = [] }) => matchExpressions)) {
          if (presentName(each.key) === key) for (const value of each.values ?? []) named.add(value)
        }
      }
      named.add('any-other')
    }
    const values: readonly (string | undefined)[] = [...named, undefined].filter((value) =>
      own.every((each) => expressionHolds(each, value)),
    )
    ways = ways.flatMap((way) => values.map((value) => (value === undefined ? way : { ...way, [key]: value })))
  }
  return ways
}

interface Demand {
  readonly pod: Pod
  readonly volumes: readonly (readonly NodeSelectorTerm[])[]
}

const accepts = ({ pod, volumes }: Demand, labels: Labels): boolean =>
  podSelects(pod, labels) && volumes.every((terms) => terms.some((term) => termHolds(term, labels)))

/** Returns the pods' node constraints without duplicates. */
const distinct = (harness: Harness, pods: readonly Pod[]): readonly Demand[] => {
  const found = new Map<string, Demand>()
  for (const pod of pods) {
    const demand = computeVolumeDemand(harness, pod)
    const volumes = 'impossible' in demand ? [] : demand.terms
    const { nodeSelector, affinity } = pod.spec
    found.set(
      JSON.stringify([nodeSelector, affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution, volumes]),
      { pod, volumes },
    )
  }
  return [...found.values()]
}

/**
 * Returns the label sets that a node of the NodePool may have for this instance type and offering, such that all pods select the node.
 * Returns an empty list if there is none.
 * @param hostName the node's own name, which a selector cannot contain in advance
 */
export const nodeLabels = (
  harness: Harness,
  pool: NodePool,
  pods: readonly Pod[],
  hostName: string,
): ((type: InstanceTypeRow, offering: Offering) => readonly Labels[]) => {
  const base = { ...poolLabels(pool), 'kubernetes.io/hostname': hostName }
  const demands = distinct(harness, pods)
  const typeKeys = [...harness.typesOf(pool).values()][0]?.labels ?? {}
  const fixed = new Set([
    ...Object.keys(base),
    ...Object.keys(typeKeys),
    'topology.kubernetes.io/zone',
    'karpenter.sh/capacity-type',
  ])
  const ways = openLabels(pool, fixed, pods)
  const decided = pool.spec.template.spec.requirements.filter(({ key }) => fixed.has(presentName(key)))
  return (type, offering) =>
    ways
      .map((way) => ({ ...base, ...way, ...type.labels, ...offeringLabels(offering) }))
      .filter(
        (labels: Labels) =>
          decided.every((each) => expressionHolds(each, labels[presentName(each.key)])) &&
          demands.every((demand) => accepts(demand, labels)),
      )
}
