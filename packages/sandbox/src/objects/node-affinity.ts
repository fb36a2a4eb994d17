import type { Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '@kerf/apis'
import { ownValue } from '@kerf/apis'

const INTEGER = /^[+-]?\d+$/

const compare = (value: string | undefined, bound: string | undefined, holds: (a: number, b: number) => boolean) =>
  value !== undefined &&
  bound !== undefined &&
  INTEGER.test(value) &&
  INTEGER.test(bound) &&
  holds(Number(value), Number(bound))

const matches = (requirement: NodeSelectorRequirement, value: string | undefined): boolean => {
  const values = requirement.values ?? []
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return compare(value, values[0], (a, b) => a > b)
    case 'Lt':
      return compare(value, values[0], (a, b) => a < b)
    case 'Gte':
      return compare(value, values[0], (a, b) => a >= b)
    case 'Lte':
      return compare(value, values[0], (a, b) => a <= b)
  }
}

/** Returns whether all expressions and fields of the term match. A term without expressions and fields matches no node. */
const termMatches = (term: NodeSelectorTerm, node: Node): boolean => {
  const { matchExpressions = [], matchFields = [] } = term
  if (matchExpressions.length + matchFields.length === 0) return false
  const labels = node.metadata.labels ?? {}
  return (
    matchExpressions.every((requirement) => matches(requirement, ownValue(labels, requirement.key))) &&
    matchFields.every((requirement) => requirement.key === 'metadata.name' && matches(requirement, node.metadata.name))
  )
}

/** Returns whether at least one term matches. */
export const selectorMatches = (selector: NodeSelector, node: Node): boolean =>
  selector.nodeSelectorTerms.some((term) => termMatches(term, node))

/** Returns whether the node matches the pod's `nodeSelector` and its required node affinity. */
export const matchesNodeAffinity = (spec: PodSpec, node: Node): boolean => {
  const labels = node.metadata.labels ?? {}
  for (const key in spec.nodeSelector) if (ownValue(labels, key) !== spec.nodeSelector[key]) return false
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return required === undefined || selectorMatches(required, node)
}

/** Returns the sum of the weights of the preferred terms that the node matches. An empty preferred term matches every node. */
export const preferredWeight = (spec: PodSpec, node: Node): number => {
  let weight = 0
  for (const term of spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
    const { matchExpressions = [], matchFields = [] } = term.preference
    if (matchExpressions.length + matchFields.length === 0 || termMatches(term.preference, node)) weight += term.weight
  }
  return weight
}
