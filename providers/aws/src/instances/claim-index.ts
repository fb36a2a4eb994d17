import type { NodeClaim } from '@kerf/apis'
import { ClaimIndex, instanceNaming, usesNodeClassKind } from '@kerf/provider-kit'
import type { InformerFactory } from '@kerf/runtime'
import { ec2NodeClassKind } from '../node-class/ec2-node-class.ts'
import { parseProviderId } from './provider-id.ts'

const NAMING = instanceNaming(ec2NodeClassKind, (providerId) => parseProviderId(providerId)?.instanceId)

/** Returns an index of the NodeClaims of EC2NodeClasses, and of Nodes, by EC2 instance id. */
export const createClaimIndex = (informers: InformerFactory): ClaimIndex => new ClaimIndex(informers, NAMING)

/** Returns true if the NodeClaim uses an EC2NodeClass. Other claims belong to other providers. */
export const isOwnClaim = (claim: NodeClaim): boolean => usesNodeClassKind(ec2NodeClassKind, claim)
