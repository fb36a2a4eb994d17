import type {
  LabelSelector,
  LabelSelectorRequirement,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
} from '@kerf/apis'

export type Labels = Readonly<Record<string, string>>

/** The deprecated names of labels. Nodes have these labels under both names. */
const oldNames: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
}
export const presentName = (key: string): string => oldNames[key] ?? key

/** Parses whole numbers only, as documented for Gt and Lt. */
const asNumber = (text: string | undefined): number =>
  text !== undefined && /^-?\d+$/.test(text) ? Number(text) : Number.NaN

/** Returns whether an expression of a node selector accepts a value. `undefined` stands for a node without the label. */
export const expressionHolds = (
  { operator, values = [] }: NodeSelectorRequirement,
  value: string | undefined,
): boolean => {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return asNumber(value) > asNumber(values[0])
    case 'Lt':
      return asNumber(value) < asNumber(values[0])
    case 'Gte':
      return asNumber(value) >= asNumber(values[0])
    case 'Lte':
      return asNumber(value) <= asNumber(values[0])
  }
}

/**
 * Returns whether a node selector term matches. A term without expressions matches nothing. `nodeName` is the value of `metadata.name`, the
 * only field that such a term may use.
 */
export const termHolds = (term: NodeSelectorTerm, labels: Labels, nodeName?: string): boolean => {
  const { matchExpressions = [], matchFields = [] } = term
  if (matchExpressions.length + matchFields.length === 0) return false
  return (
    matchExpressions.every((each) => expressionHolds(each, labels[presentName(each.key)])) &&
    matchFields.every((each) => each.key === 'metadata.name' && expressionHolds(each, nodeName))
  )
}

const requiredTerms = (pod: Pod): readonly NodeSelectorTerm[] | undefined =>
  pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms

/** Returns whether the node selector and the required node affinity of the pod match. */
export const podSelects = (pod: Pod, labels: Labels, nodeName?: string): boolean => {
  const wanted = Object.entries(pod.spec.nodeSelector ?? {})
  if (!wanted.every(([key, value]) => labels[presentName(key)] === value)) return false
  const terms = requiredTerms(pod)
  return terms === undefined || terms.some((term) => termHolds(term, labels, nodeName))
}

const requirementHolds = ({ operator, values = [] }: LabelSelectorRequirement, value: string | undefined): boolean => {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
  }
}

/** Returns whether a label selector matches. A missing selector matches nothing, and an empty one matches everything. */
export const selectorMatches = (selector: LabelSelector | undefined, labels: Labels): boolean => {
  if (selector === undefined) return false
  const { matchLabels = {}, matchExpressions = [] } = selector
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((each) => requirementHolds(each, labels[each.key]))
  )
}

/**
 * Returns the selector with the additional conditions of `matchLabelKeys` and `mismatchLabelKeys`, which use the pod's own label values.
 */
export const withPodKeys = (
  selector: LabelSelector | undefined,
  labels: Labels,
  same: readonly string[] = [],
  different: readonly string[] = [],
): LabelSelector | undefined => {
  if (selector === undefined) return undefined
  const added = (keys: readonly string[], operator: 'In' | 'NotIn') =>
    keys.flatMap((key) => {
      const value = labels[key]
      return value === undefined ? [] : [{ key, operator, values: [value] }]
    })
  return {
    ...selector,
    matchExpressions: [...(selector.matchExpressions ?? []), ...added(same, 'In'), ...added(different, 'NotIn')],
  }
}
