import type { KubeObject, NodeClaim, ResourceKind } from '@kerf/apis'

/** A node class kind that a provider serves. */
export type ServedKind = Pick<ResourceKind<KubeObject>, 'group' | 'kind'>

/** Returns true if the reference is to a node class of the kind. Other kinds belong to other providers. */
export const isRefTo = ({ group, kind }: ServedKind, ref: NodeClaim['spec']['nodeClassRef']): boolean =>
  ref.group === group && ref.kind === kind

/** Returns true if the claim uses a node class of the kind. */
export const isClaimOf = (kind: ServedKind, { spec }: NodeClaim): boolean => isRefTo(kind, spec.nodeClassRef)

/** Returns the name of the claim's node class in a list, or an empty list if the claim uses another kind. */
export const classOfClaim = (kind: ServedKind, claim: NodeClaim): readonly string[] =>
  isClaimOf(kind, claim) ? [claim.spec.nodeClassRef.name] : []
