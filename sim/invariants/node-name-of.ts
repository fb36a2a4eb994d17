import type { NodeClaim } from '@kerf/apis'
import type { World } from '../world/world.ts'

/**
 * The name of a claim's Node: what the claim says, or the Node of its instance. Where watches lag, a Node can be
 * registered, used and deleted before its claim names it.
 */
export const nodeNameOf = ({ status }: NodeClaim, world: Pick<World, 'nodes'>): string | undefined =>
  status?.nodeName ??
  (status?.providerID === undefined
    ? undefined
    : world.nodes().find(({ spec }) => spec.providerID === status.providerID)?.metadata.name)
