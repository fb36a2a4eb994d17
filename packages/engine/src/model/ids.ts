import type { Id } from '../id.ts'

/** Interned constraints of a claim (`ClaimConstraintsTable`). */
export type ConstraintsId = Id<'claim constraints'>
/** Interned requirements: equal sets have equal numbers, and the empty set has 0. */
export type RequirementsId = Id<'requirements'>
/** The number of the empty set of requirements. */
export const NO_REQUIREMENTS = 0 as RequirementsId
/** Interned tolerations (`TolerationSets`). */
export type TolerationsId = Id<'tolerations'>
/** A new claim of the decision (`ClaimTable`). Claims are numbered in the order in which they are opened. */
export type ClaimId = Id<'claim'>
/** No claim. */
export const NO_CLAIM = -1 as ClaimId
/** An existing node: its index in the problem's list of nodes. */
export type NodeId = Id<'node'>
/** No node. */
export const NO_NODE = -1 as NodeId
/** A host that a pod can be placed on, for hostname terms and devices: existing nodes first, then new claims. */
export type HostId = Id<'host'>

/** Returns the host number of an existing node. */
export const hostOfNode = (node: NodeId): HostId => node as number as HostId
/** Returns the host number of a new claim; `nodes` is the number of existing nodes. */
export const hostOfClaim = (nodes: number, claim: ClaimId): HostId => (nodes + claim) as HostId
