import { karpenterKinds, kinds, type Node, type NodeClaim, type Pod } from '@kerf/apis'
import { type Informer, type InformerFactory, type Source, source } from '@kerf/runtime'

const BY_PROVIDER_ID = 'lifecycle.providerID'
const BY_NODE_NAME = 'lifecycle.nodeName'

/** Returns a list with the text, or an empty list if the text is missing or empty. */
const filled = (text: string | undefined): readonly string[] => (text === undefined || text === '' ? [] : [text])
const nodeProviderID = (node: Node | undefined): readonly string[] => filled(node?.spec.providerID)
const claimProviderID = (claim: NodeClaim | undefined): readonly string[] => filled(claim?.status?.providerID)
const podNode = (pod: Pod): readonly string[] => filled(pod.spec.nodeName)
const objectName = (object: Node | NodeClaim | undefined): readonly string[] => filled(object?.metadata.name)

/** Finds the Node of a NodeClaim by provider ID, and the pods on a Node. An empty provider ID matches nothing. */
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

  /** Returns the Node of the claim, or undefined if there is none or more than one. */
  nodeOf(claim: NodeClaim): Node | undefined {
    const [node, ...others] = this.nodesOf(claim)
    return others.length === 0 ? node : undefined
  }

  /** Returns the claim of the Node, or undefined if there is none or more than one. */
  claimOf(node: Node): NodeClaim | undefined {
    const [claim, ...others] = nodeProviderID(node).flatMap((id) => this.claims.by(BY_PROVIDER_ID, id))
    return others.length === 0 ? claim : undefined
  }

  podsOn(nodeName: string): readonly Pod[] {
    return this.pods.by(BY_NODE_NAME, nodeName)
  }

  /** Returns controller sources whose keys are names of NodeClaims. A key is reported when the NodeClaim or its Node changes. */
  claimSources(): readonly Source[] {
    return [
      source(this.claims, ({ before, after }) => objectName(after ?? before)),
      source(this.nodes, ({ before, after }) =>
        nodeProviderID(after ?? before).flatMap((id) => this.claims.by(BY_PROVIDER_ID, id).flatMap(objectName)),
      ),
    ]
  }

  /** Returns controller sources whose keys are names of Nodes. A key is reported when the Node or its NodeClaim changes. */
  nodeSources(): readonly Source[] {
    return [
      source(this.nodes, ({ before, after }) => objectName(after ?? before)),
      source(this.claims, ({ before, after }) =>
        claimProviderID(after ?? before).flatMap((id) => this.nodes.by(BY_PROVIDER_ID, id).flatMap(objectName)),
      ),
    ]
  }
}
