import {
  findCondition,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  type ResourceKind,
  timeOf,
} from '@kerf/apis'
import type { Informer, InformerFactory } from '@kerf/runtime'
import { isClaimOf } from '../node-class/node-class-ref.ts'

/** How claims and Nodes tell their instance. The same object for all indexes over the same informers. */
export interface InstanceNaming {
  /** Unlike that of any other provider: the informers are shared. */
  readonly name: string
  readonly ofClaim: (claim: NodeClaim) => readonly string[]
  readonly ofNode: (node: Node) => readonly string[]
}

/**
 * @param nodeClass the provider's kind; claims of others are not indexed.
 * @param instanceOf the id of the instance that a provider ID names; nothing for one of another form.
 */
export const instanceNaming = (
  nodeClass: Pick<ResourceKind<KubeObject>, 'group' | 'kind' | 'plural'>,
  instanceOf: (providerID: string) => string | undefined,
): InstanceNaming => {
  const idsOf = (providerID: string | undefined): readonly string[] => {
    const id = instanceOf(providerID ?? '')
    return id === undefined ? [] : [id]
  }
  return {
    name: `instance of ${nodeClass.plural}.${nodeClass.group}`,
    ofClaim: (claim) => (isClaimOf(nodeClass, claim) ? idsOf(claim.status?.providerID) : []),
    ofNode: (node) => idsOf(node.spec.providerID),
  }
}

/** NodeClaims and Nodes by the instance that they stand for. */
export class ClaimIndex {
  readonly claims: Informer<NodeClaim>
  readonly nodes: Informer<Node>
  readonly #name: string

  constructor(informers: InformerFactory, { name, ofClaim, ofNode }: InstanceNaming) {
    this.#name = name
    this.claims = informers.of(karpenterKinds.NodeClaim)
    this.nodes = informers.of(kinds.Node)
    this.claims.index(name, ofClaim)
    this.nodes.index(name, ofNode)
  }

  claimsOf(instanceId: string): readonly NodeClaim[] {
    return this.claims.by(this.#name, instanceId)
  }

  /** When the instance was launched, as its claim says. */
  launchTime(instanceId: string): Milliseconds | undefined {
    const [claim] = this.claimsOf(instanceId)
    return claim && timeOf(findCondition(claim, 'Launched')?.lastTransitionTime ?? claim.metadata.creationTimestamp)
  }

  /** The Nodes of the instance that belong to a NodePool. */
  nodesOf(instanceId: string): readonly Node[] {
    return this.nodes
      .by(this.#name, instanceId)
      .filter(({ metadata }) => metadata.labels?.[labels.nodePool] !== undefined)
  }
}
