import { isConditionTrue, isConditionUnknown, type NodeClaim } from '@kerf/apis'
import { isProviderID } from './instance-node.ts'

/**
 * Whether the claim's instance runs without a Node so far: launched, never registered, and wanted. A registered claim
 * without a Node has lost its instance; a deleted one is not started any more.
 */
export const isBooting = (claim: NodeClaim): boolean =>
  claim.metadata.deletionTimestamp === undefined &&
  isProviderID(claim.status?.providerID) &&
  isConditionTrue(claim, 'Launched') &&
  isConditionUnknown(claim, 'Registered')
