import type { DisplayedKind } from '@kerf/provider-contract/dashboard'
import { displayedKinds } from './generated/displayed-kinds.ts'
import { fieldsAt, textAt } from './read.ts'

/**
 * Returns how the dashboard shows a node class kind, or undefined for a kind of an unknown provider. Node class kinds of unknown providers
 * are found through the references of NodePools.
 */
export const displayedKind = (group: string, kind: string): DisplayedKind | undefined =>
  displayedKinds.find((each) => each.group === group && each.kind === kind)

const GROUPS: ReadonlySet<string> = new Set([
  'karpenter.sh',
  'kerf.sh',
  'autoscaling.x-k8s.io',
  ...displayedKinds.map(({ group }) => group),
])
/** Matches the API groups that providers outside this repository usually have. */
const LOOKS_LIKE_OURS = /(^|\.)karpenter\./

/** Returns whether an API group contains kinds of the autoscaler or of one of its providers. */
export const isOurGroup = (group: string): boolean => GROUPS.has(group) || LOOKS_LIKE_OURS.test(group)

export interface NodeClassRef {
  readonly group: string
  readonly kind: string
  readonly name: string
}

/** Returns the node class that a pool's template or a claim refers to. */
export const poolNodeClassRef = (object: unknown): NodeClassRef | undefined => {
  const template = fieldsAt(object, 'spec', 'template', 'spec', 'nodeClassRef')
  const ref = Object.keys(template).length > 0 ? template : fieldsAt(object, 'spec', 'nodeClassRef')
  const name = textAt(ref, 'name')
  if (name === undefined) return undefined
  return { group: textAt(ref, 'group') ?? '', kind: textAt(ref, 'kind') ?? '', name }
}

export const refersTo = (object: unknown, group: string, kind: string, name: string): boolean => {
  const ref = poolNodeClassRef(object)
  return ref !== undefined && ref.name === name && ref.kind === kind && ref.group === group
}
