import { karpenterKinds, kinds, type Node, type NodeClaim, type Pod } from '@kerf/apis'
import { type Informer, type InformerFactory, type Source, source } from '@kerf/runtime'

const BY_PROVIDER_ID = 'lifecycle.providerID'
const BY_NODE_NAME = 'lifecycle.nodeName'

/** An ID or a name that is empty is none. */
const filled = (text: string | undefined): readonly string[] => (text === undefined || text === '' ? [] : [text])
const nodeProviderID = (node: Node | undefined): readonly string[] => filled(node?.spec.providerID)
const claimProviderID = (claim: NodeClaim | undefined): readonly string[] => filled(claim?.status?.providerID)
const podNode = (pod: Pod): readonly string[] => filled(pod.spec.nodeName)
const nameOf = (object: Node | NodeClaim | undefined): readonly string[] => filled(object?.metadata.name)

/**
 * Which Node belongs to which NodeClaim, by equal provider ID, and which pods are on a Node. An empty provider ID belongs
 * to nothing.
 */
export class ClaimNodes {
  readonly nodes: Informer<Node>
  readonly claims: Informer<NodeClaim>
  readonly pods: Informer<Pod>

  constructor(informers: InformerFactory) {
    this.nodes = informers.of(kinds.Node)
    this.claims = informers.of(karpenterKinds.NodeClaim)
    this.pods = informers.of(kinds.Pod)
    this.nodes.index(BY_PROVIDER_ID, nodeProviderID)
    this.claims.index(BY_PROVIDER_ID, claimProviderID)
    this.pods.index(BY_NODE_NAME, podNode)
  }

  nodesOf(claim: NodeClaim): readonly Node[] {
    return claimProviderID(claim).flatMap((id) => this.nodes.by(BY_PROVIDER_ID, id))
  }

  /** The claim's Node when there is exactly one. */
  nodeOf(claim: NodeClaim): Node | undefined {
    const [node, ...others] = this.nodesOf(claim)
    return others.length === 0 ? node : undefined
  }

  /** The Node's claim when there is exactly one; several are as good as none. */
  claimOf(node: Node): NodeClaim | undefined {
    const [claim, ...others] = nodeProviderID(node).flatMap((id) => this.claims.by(BY_PROVIDER_ID, id))
    return others.length === 0 ? claim : undefined
  }

  podsOn(nodeName: string): readonly Pod[] {
    return this.pods.by(BY_NODE_NAME, nodeName)
  }

  /** Keys of NodeClaims: their own changes, and those of their Nodes. */
  claimSources(): readonly Source[] {
    return [
      source(this.claims, ({ before, after }) => nameOf(after ?? before)),
      source(this.nodes, ({ before, after }) =>
        nodeProviderID(after ?? before).flatMap((id) => this.claims.by(BY_PROVIDER_ID, id).flatMap(nameOf)),
      ),
    ]
  }

  /** Keys of Nodes: their own changes, and those of their NodeClaims. */
  nodeSources(): readonly Source[] {
    return [
      source(this.nodes, ({ before, after }) => nameOf(after ?? before)),
      source(this.claims, ({ before, after }) =>
        claimProviderID(after ?? before).flatMap((id) => this.nodes.by(BY_PROVIDER_ID, id).flatMap(nameOf)),
      ),
    ]
  }
}
