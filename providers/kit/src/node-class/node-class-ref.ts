import type { KubeObject, NodeClaim, ResourceKind } from '@kerf/apis'

/** The kind of node class that a provider serves. */
export type ServedKind = Pick<ResourceKind<KubeObject>, 'group' | 'kind'>

/** Whether a reference is to a node class of the kind; others are served by another provider. */
export const isRefTo = ({ group, kind }: ServedKind, ref: NodeClaim['spec']['nodeClassRef']): boolean =>
  ref.group === group && ref.kind === kind

/** Whether the claim is of a node class of the kind. */
export const isClaimOf = (kind: ServedKind, { spec }: NodeClaim): boolean => isRefTo(kind, spec.nodeClassRef)

/** The name of the claim's node class; none for a claim of another kind's. */
export const classOfClaim = (kind: ServedKind, claim: NodeClaim): readonly string[] =>
  isClaimOf(kind, claim) ? [claim.spec.nodeClassRef.name] : []
