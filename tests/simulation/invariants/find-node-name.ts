import type { NodeClaim } from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'

/**
 * Returns the name of a NodeClaim's Node from the claim's status, or else from the Node of its instance. If watches lag, a Node can be
 * registered, used and deleted before its claim's status contains its name.
 */
export const findNodeName = ({ status }: NodeClaim, environment: Pick<Environment, 'nodes'>): string | undefined =>
  status?.nodeName ??
  (status?.providerID === undefined
    ? undefined
    : environment.nodes().find(({ spec }) => spec.providerID === status.providerID)?.metadata.name)
