import {
  findCondition,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  timeOf,
} from '@kerf/apis'
import type { Informer, InformerFactory } from '@kerf/runtime'
import { parseProviderId } from './provider-id.ts'

const BY_INSTANCE = 'aws.instanceID'

const instanceOf = (providerId: string | undefined): readonly string[] => {
  const id = parseProviderId(providerId)
  return id === undefined ? [] : [id.instanceId]
}

/** Whether the claim is of an EC2NodeClass; others belong to somebody else. */
export const isOwnClaim = ({ spec: { nodeClassRef: ref } }: NodeClaim): boolean =>
  ref.group === karpenterKinds.EC2NodeClass.group && ref.kind === karpenterKinds.EC2NodeClass.kind

/** The name of the claim's EC2NodeClass; none for a claim of another kind's. */
export const classOfClaim = (claim: NodeClaim): readonly string[] =>
  isOwnClaim(claim) ? [claim.spec.nodeClassRef.name] : []

const instancesOfClaim = (claim: NodeClaim): readonly string[] =>
  isOwnClaim(claim) ? instanceOf(claim.status?.providerID) : []
const instancesOfNode = (node: Node): readonly string[] => instanceOf(node.spec.providerID)

/** Claims and Nodes by the instance that they stand for. */
export class ClaimIndex {
  readonly claims: Informer<NodeClaim>
  readonly nodes: Informer<Node>

  constructor(informers: InformerFactory) {
    this.claims = informers.of(karpenterKinds.NodeClaim)
    this.nodes = informers.of(kinds.Node)
    this.claims.index(BY_INSTANCE, instancesOfClaim)
    this.nodes.index(BY_INSTANCE, instancesOfNode)
  }

  claimsOf(instanceId: string): readonly NodeClaim[] {
    return this.claims.by(BY_INSTANCE, instanceId)
  }

  /** When the instance was launched, as its claim says. */
  launchTime(instanceId: string): Milliseconds | undefined {
    const [claim] = this.claimsOf(instanceId)
    return claim && timeOf(findCondition(claim, 'Launched')?.lastTransitionTime ?? claim.metadata.creationTimestamp)
  }

  nodesOf(instanceId: string): readonly Node[] {
    return this.nodes
      .by(BY_INSTANCE, instanceId)
      .filter(({ metadata }) => metadata.labels?.[labels.nodePool] !== undefined)
  }
}
