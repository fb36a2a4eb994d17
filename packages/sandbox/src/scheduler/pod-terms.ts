import type {
  LabelSelector,
  LabelSelectorRequirement,
  Pod,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { type LabelSet, selecting } from '../objects/label-selector.ts'
import type { PodClass } from './pod-class.ts'

/** Returns the labels of a namespace, for namespace selectors. */
export type NamespaceLabels = (namespace: string) => LabelSet | undefined

/** The pods that a term selects, and its topology key. */
export interface PodTerm {
  /** An identifier that is equal for pod terms that select the same pods in the same domains. */
  readonly id: string
  readonly topologyKey: string
  selects(podClass: PodClass): boolean
}

const withLabelKeys = (
  selector: LabelSelector | undefined,
  labels: LabelSet,
  same: readonly string[] | undefined,
  other: readonly string[] | undefined,
): LabelSelector | undefined => {
  if (selector === undefined) return undefined
  const more: LabelSelectorRequirement[] = []
  for (const key of same ?? []) {
    const value = ownValue(labels, key)
    if (value !== undefined) more.push({ key, operator: 'In', values: [value] })
  }
  for (const key of other ?? []) {
    const value = ownValue(labels, key)
    if (value !== undefined) more.push({ key, operator: 'NotIn', values: [value] })
  }
  return more.length === 0
    ? selector
    : { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...more] }
}

/** Resolves an affinity or anti-affinity term of the pods in `owner`, based on their labels and namespace. */
export const affinityTerm = (term: PodAffinityTerm, owner: PodClass, namespaceLabels: NamespaceLabels): PodTerm => {
  const selector = withLabelKeys(term.labelSelector, owner.labels, term.matchLabelKeys, term.mismatchLabelKeys)
  const named = term.namespaces ?? []
  const own = named.length === 0 && term.namespaceSelector === undefined
  const namespaces = own ? [owner.namespace] : [...named].sort()
  const isSelected = selecting(selector)
  const isSelectedNamespace = selecting(term.namespaceSelector)
  const inNamespace = (namespace: string): boolean =>
    namespaces.includes(namespace) || isSelectedNamespace(namespaceLabels(namespace) ?? {})
  return {
    id: JSON.stringify([term.topologyKey, selector, namespaces, term.namespaceSelector]),
    topologyKey: term.topologyKey,
    selects: (podClass) => inNamespace(podClass.namespace) && isSelected(podClass.labels),
  }
}

/** Returns the pods that a topology spread constraint of `owner` counts: the pods in the same namespace that match its selector. */
export const spreadTerm = (constraint: TopologySpreadConstraint, owner: PodClass): PodTerm => {
  const selector = withLabelKeys(constraint.labelSelector, owner.labels, constraint.matchLabelKeys, undefined)
  const isSelected = selecting(selector)
  return {
    id: JSON.stringify([constraint.topologyKey, selector, owner.namespace]),
    topologyKey: constraint.topologyKey,
    selects: (podClass) => podClass.namespace === owner.namespace && isSelected(podClass.labels),
  }
}

const keysOfSelector = (selector: LabelSelector | undefined): string[] => [
  ...Object.keys(selector?.matchLabels ?? {}),
  ...(selector?.matchExpressions ?? []).map((requirement) => requirement.key),
]

/** Returns the label keys that the pod's constraints use. */
export const lookedAtBy = (pod: Pod): string[] => {
  const keys: string[] = []
  for (const constraint of pod.spec.topologySpreadConstraints ?? []) {
    keys.push(...keysOfSelector(constraint.labelSelector), ...(constraint.matchLabelKeys ?? []))
  }
  for (const affinity of [pod.spec.affinity?.podAffinity, pod.spec.affinity?.podAntiAffinity]) {
    const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
    const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
    for (const term of [...required, ...preferred.map((one) => one.podAffinityTerm)]) {
      keys.push(
        ...keysOfSelector(term.labelSelector),
        ...(term.matchLabelKeys ?? []),
        ...(term.mismatchLabelKeys ?? []),
      )
    }
  }
  return keys
}
