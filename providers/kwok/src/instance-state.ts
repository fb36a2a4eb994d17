import { isConditionTrue, isConditionUnknown, type NodeClaim } from '@kerf/apis'
import { isProviderID } from './instance-node.ts'

/**
 * Returns whether the NodeClaim's instance is running but has no Node yet: the claim is launched, not registered, and not deleted. If a
 * registered claim has no Node, its instance is gone. The instance of a deleted claim does not start.
 */
export const isBooting = (claim: NodeClaim): boolean =>
  claim.metadata.deletionTimestamp === undefined &&
  isProviderID(claim.status?.providerID) &&
  isConditionTrue(claim, 'Launched') &&
  isConditionUnknown(claim, 'Registered')
