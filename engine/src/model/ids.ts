import type { Id } from '../id.ts'

/** Interned constraints of a claim (`ClaimConstraintsTable`). */
export type ConstraintsId = Id<'claim constraints'>
/** Interned requirements; equal sets have equal numbers, the empty one has 0. */
export type RequirementsId = Id<'requirements'>
/** The number of the empty set of requirements. */
export const NO_REQUIREMENTS = 0 as RequirementsId
/** Interned tolerations (`TolerationSets`). */
export type TolerationsId = Id<'tolerations'>
/** A new claim of the decision under way (`ClaimTable`): claims are numbered as they are opened. */
export type ClaimId = Id<'claim'>
/** No claim. */
export const NO_CLAIM = -1 as ClaimId
/** An existing node: its place among the nodes of the problem. */
export type NodeId = Id<'node'>
/** No node. */
export const NO_NODE = -1 as NodeId
/** Where a pod may be, for host terms and devices: existing nodes come first, and new claims after them. */
export type HostId = Id<'host'>

/** An existing node as a host. */
export const hostOfNode = (node: NodeId): HostId => node as number as HostId
/** A new claim as a host, beside so many existing nodes. */
export const hostOfClaim = (nodes: number, claim: ClaimId): HostId => (nodes + claim) as HostId
