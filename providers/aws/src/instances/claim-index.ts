import { karpenterKinds, type NodeClaim } from '@kerf/apis'
import { ClaimIndex, instanceNaming, isClaimOf } from '@kerf/provider-kit'
import type { InformerFactory } from '@kerf/runtime'
import { parseProviderId } from './provider-id.ts'

const NAMING = instanceNaming(karpenterKinds.EC2NodeClass, (providerId) => parseProviderId(providerId)?.instanceId)

/** NodeClaims of EC2NodeClasses, and Nodes, by the id of the EC2 instance that they stand for. */
export const claimIndexOf = (informers: InformerFactory): ClaimIndex => new ClaimIndex(informers, NAMING)

/** Whether the claim is of an EC2NodeClass; others belong to somebody else. */
export const isOwnClaim = (claim: NodeClaim): boolean => isClaimOf(karpenterKinds.EC2NodeClass, claim)
