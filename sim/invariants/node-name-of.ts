import type { NodeClaim } from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'

/**
 * The name of a claim's Node: what the claim says, or the Node of its instance. Where watches lag, a Node can be
 * registered, used and deleted before its claim names it.
 */
export const nodeNameOf = ({ status }: NodeClaim, environment: Pick<Environment, 'nodes'>): string | undefined =>
  status?.nodeName ??
  (status?.providerID === undefined
    ? undefined
    : environment.nodes().find(({ spec }) => spec.providerID === status.providerID)?.metadata.name)
