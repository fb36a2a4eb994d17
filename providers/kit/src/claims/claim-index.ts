import {
  findCondition,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  parseTime,
  type ResourceKind,
} from '@kerf/apis'
import type { Informer, InformerFactory } from '@kerf/runtime'
import { usesNodeClassKind } from '../node-class/node-class-ref.ts'

/** How NodeClaims and Nodes identify an instance. All indexes over the same informers must share one such object. */
export interface InstanceNaming {
  /** The name of the index. It must be unique, because providers share the informers. */
  readonly name: string
  readonly ofClaim: (claim: NodeClaim) => readonly string[]
  readonly ofNode: (node: Node) => readonly string[]
}

/**
 * Returns how the instances of a provider are identified.
 *
 * @param nodeClass the node class kind of the provider; NodeClaims of other kinds are not indexed.
 * @param instanceOf returns the instance id in a provider ID, or undefined if the provider ID has a different form.
 */
export const instanceNaming = (
  nodeClass: Pick<ResourceKind<KubeObject>, 'group' | 'kind' | 'plural'>,
  instanceOf: (providerID: string) => string | undefined,
): InstanceNaming => {
  const instanceIds = (providerID: string | undefined): readonly string[] => {
    const id = instanceOf(providerID ?? '')
    return id === undefined ? [] : [id]
  }
  return {
    name: `instance of ${nodeClass.plural}.${nodeClass.group}`,
    ofClaim: (claim) => (usesNodeClassKind(nodeClass, claim) ? instanceIds(claim.status?.providerID) : []),
    ofNode: (node) => instanceIds(node.spec.providerID),
  }
}

/** Finds NodeClaims and Nodes by their instance. */
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

  /** Returns the launch time of the instance according to its NodeClaim. */
  launchTime(instanceId: string): Milliseconds | undefined {
    const [claim] = this.claimsOf(instanceId)
    return claim && parseTime(findCondition(claim, 'Launched')?.lastTransitionTime ?? claim.metadata.creationTimestamp)
  }

  /** Returns the Nodes of the instance that belong to a NodePool. */
  nodesOf(instanceId: string): readonly Node[] {
    return this.nodes
      .by(this.#name, instanceId)
      .filter(({ metadata }) => metadata.labels?.[labels.nodePool] !== undefined)
  }
}
