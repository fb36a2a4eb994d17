import type { LabelSelectorRequirement, Namespace, Pod, PodAffinityTerm, TopologySpreadConstraint } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { NamespaceScope, PodSelection, TopologyTerm } from '../model/topology-term.ts'
import { podNamespace } from '../pods/pod-name.ts'
import { LabelQuery } from '../requirements/label-query.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import { byText } from '../requirements/requirement.ts'

const matchLabelExpressions = (
  keys: readonly string[] | undefined,
  operator: 'In' | 'NotIn',
  pod: Pod,
): LabelSelectorRequirement[] =>
  (keys ?? []).flatMap((key) => {
    const value = ownValue(pod.metadata.labels, key)
    return value === undefined ? [] : [{ key, operator, values: [value] }]
  })

const NO_OTHERS: readonly PodSelection[] = []

export const spreadTerm = (pod: Pod, constraint: TopologySpreadConstraint, rules: LabelRules): TopologyTerm => ({
  type: 'spread',
  key: rules.topologyLabel(constraint.topologyKey),
  namespaces: [podNamespace(pod)],
  query: LabelQuery.of(constraint.labelSelector, matchLabelExpressions(constraint.matchLabelKeys, 'In', pod)),
  others: NO_OTHERS,
  required: constraint.whenUnsatisfiable !== 'ScheduleAnyway',
  maxSkew: constraint.maxSkew,
  minDomains: constraint.minDomains,
  honorsAffinity: constraint.nodeAffinityPolicy !== 'Ignore',
  honorsTaints: constraint.nodeTaintsPolicy === 'Honor',
})

/**
 * Returns the namespaces in which a term selects pods. A term without a list and without a selector selects pods of the pod's own
 * namespace. A term with a selector selects pods of the matching namespaces and of those in its list
 * (`docs/spec/scheduling.md#groups-of-a-pod`).
 */
const podScope = (pod: Pod, term: PodAffinityTerm, namespaces: readonly Namespace[]): NamespaceScope => {
  const { namespaceSelector } = term
  const listed = term.namespaces ?? []
  if (namespaceSelector === undefined || namespaceSelector === null) {
    return listed.length > 0 ? [...new Set(listed)].sort(byText) : [podNamespace(pod)]
  }
  const query = LabelQuery.of(namespaceSelector)
  if (!query.matchesNothing && query.identity === '') return undefined
  const matching = namespaces
    .filter(({ metadata }) => query.matches({ 'kubernetes.io/metadata.name': metadata.name, ...metadata.labels }))
    .map(({ metadata }) => metadata.name)
  return [...new Set([...listed, ...matching])].sort(byText)
}

export const affinityTerm = (
  type: 'affinity' | 'anti-affinity',
  pod: Pod,
  term: PodAffinityTerm,
  required: boolean,
  namespaces: readonly Namespace[],
  rules: LabelRules,
): TopologyTerm => ({
  type,
  key: rules.topologyLabel(term.topologyKey),
  namespaces: podScope(pod, term, namespaces),
  query: LabelQuery.of(term.labelSelector, [
    ...matchLabelExpressions(term.matchLabelKeys, 'In', pod),
    ...matchLabelExpressions(term.mismatchLabelKeys, 'NotIn', pod),
  ]),
  others: NO_OTHERS,
  required,
  maxSkew: 0,
  minDomains: undefined,
  honorsAffinity: false,
  honorsTaints: false,
})

/** Returns a key. Two selections with equal keys select the same pods. */
export const selectionIdentity = ({ namespaces, query }: PodSelection): string =>
  JSON.stringify([namespaces ?? null, query.matchesNothing, query.identity])

/**
 * Combines the required affinity terms of one pod. Each term then counts only pods that all of the terms select, as in kube-scheduler
 * (`docs/spec/scheduling.md#affinity`).
 */
export const affinityTermsTogether = (terms: readonly TopologyTerm[]): readonly TopologyTerm[] => {
  if (terms.length < 2) return terms
  const byIdentity = new Map(terms.map((term) => [selectionIdentity(term), term]))
  if (byIdentity.size === 1) return terms
  const selections = [...byIdentity].sort(([a], [b]) => byText(a, b))
  const [first] = selections
  if (first === undefined) return terms
  const [, { namespaces, query }] = first
  const others = selections
    .slice(1)
    .map(([, other]): PodSelection => ({ namespaces: other.namespaces, query: other.query }))
  return terms.map((term) => ({ ...term, namespaces, query, others }))
}
