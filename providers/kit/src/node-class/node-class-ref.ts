import type { KubeObject, NodeClaim, ResourceKind } from '@kerf/apis'

/** A node class kind that a provider serves. */
export type ServedKind = Pick<ResourceKind<KubeObject>, 'group' | 'kind'>

/** Returns whether the reference is to a node class of this kind. Other kinds belong to other providers. */
export const isRefTo = ({ group, kind }: ServedKind, ref: NodeClaim['spec']['nodeClassRef']): boolean =>
  ref.group === group && ref.kind === kind

/** Returns whether the NodeClaim refers to a node class of this kind. */
export const usesNodeClassKind = (kind: ServedKind, { spec }: NodeClaim): boolean => isRefTo(kind, spec.nodeClassRef)

/** Returns the name of the NodeClaim's node class in a list, or an empty list if the claim refers to another kind. */
export const classOfClaim = (kind: ServedKind, claim: NodeClaim): readonly string[] =>
  usesNodeClassKind(kind, claim) ? [claim.spec.nodeClassRef.name] : []
