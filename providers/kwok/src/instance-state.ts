import { isConditionTrue, isConditionUnknown, type NodeClaim } from '@kerf/apis'
import { isProviderID } from './instance-node.ts'

/**
 * Returns true if the claim's instance runs without a Node so far: the claim is launched, not registered, and not deleted. A
 * registered claim without a Node has lost its instance; the instance of a deleted claim does not start.
 */
export const isBooting = (claim: NodeClaim): boolean =>
  claim.metadata.deletionTimestamp === undefined &&
  isProviderID(claim.status?.providerID) &&
  isConditionTrue(claim, 'Launched') &&
  isConditionUnknown(claim, 'Registered')
