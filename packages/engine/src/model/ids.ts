import type { Id } from '../id.ts'

/** The number of a claim's interned constraints (`ClaimConstraintsTable`). */
export type ConstraintsId = Id<'claim constraints'>
/** The number of interned requirements. Equal sets have equal numbers, and the empty set has 0. */
export type RequirementsId = Id<'requirements'>
/** The number of the empty set of requirements. */
export const NO_REQUIREMENTS = 0 as RequirementsId
/** The number of interned tolerations. */
export type TolerationsId = Id<'tolerations'>
/** The number of a new claim of the decision (`ClaimTable`). Claims are numbered in the order of their creation. */
export type ClaimId = Id<'claim'>
/** Means that there is no claim. */
export const NO_CLAIM = -1 as ClaimId
/** The number of an existing node: its index in the problem's list of nodes. */
export type NodeId = Id<'node'>
/** Means that there is no node. */
export const NO_NODE = -1 as NodeId
/** The number of a host on which a pod can be placed, for hostname terms and devices. Existing nodes come first, then new claims. */
export type HostId = Id<'host'>

/** Returns the host number of an existing node. */
export const hostOfNode = (node: NodeId): HostId => node as number as HostId
/** Returns the host number of a new claim; `nodes` is the number of existing nodes. */
export const hostOfClaim = (nodes: number, claim: ClaimId): HostId => (nodes + claim) as HostId
