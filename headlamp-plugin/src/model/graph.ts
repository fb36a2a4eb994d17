import { isTrue } from './conditions.ts'
import { nodeClassRefOf } from './node-class-kinds.ts'
import { isPending } from './pending-pods.ts'
import { at, isDeleting, labelOf, listAt, nameOf, textAt } from './read.ts'
import { claimStatus, readyStatus, type Tone } from './status.ts'

export type GraphTone = 'success' | 'warning' | 'error'

/** An object on the map. */
export interface GraphItem {
  readonly id: string
  readonly kind: 'NodePool' | 'NodeClaim' | 'NodeClass' | 'Node' | 'Pod'
  readonly object: unknown
  readonly status: GraphTone
}

export interface GraphLink {
  readonly id: string
  readonly source: string
  readonly target: string
}

export interface Graph {
  readonly items: readonly GraphItem[]
  readonly links: readonly GraphLink[]
}

interface Objects {
  readonly pools: readonly unknown[]
  readonly claims: readonly unknown[]
  /** With the group and kind they are served as. */
  readonly classes: readonly { readonly group: string; readonly kind: string; readonly object: unknown }[]
  readonly nodes: readonly unknown[]
  readonly pods: readonly unknown[]
}

const uidOf = (object: unknown): string => textAt(object, 'metadata', 'uid') ?? ''
const toneOf = (tone: Tone): GraphTone => (tone === '' ? 'success' : tone)

const nodeTone = (node: unknown): GraphTone =>
  isDeleting(node) ? 'warning' : isTrue(node, 'Ready') ? 'success' : 'error'

const podTone = (pod: unknown): GraphTone => {
  const phase = textAt(pod, 'status', 'phase')
  return phase === 'Running' || phase === 'Succeeded' ? 'success' : phase === 'Failed' ? 'error' : 'warning'
}

/** Nodes that a claim is responsible for: by the owner's uid, as registration writes it, or by the claim's own status. */
const claimOfNode = (
  node: unknown,
  byUid: ReadonlyMap<string, unknown>,
  byNode: ReadonlyMap<string, unknown>,
): unknown => {
  for (const owner of listAt(node, 'metadata', 'ownerReferences')) {
    const claim = byUid.get(textAt(owner, 'uid') ?? '')
    if (claim !== undefined) return claim
  }
  return byNode.get(nameOf(node))
}

/** Whether a pod may be linked to a pool that refuses it: not if its own node selector rules the pool out. */
const refuses = (pool: unknown, pod: unknown): boolean => {
  const wanted = at(pod, 'spec', 'nodeSelector', 'karpenter.sh/nodepool')
  return wanted === undefined || wanted === nameOf(pool)
}

/**
 * What belongs together, by uid: NodeClass to NodePool, NodePool to NodeClaim, NodeClaim to Node, Node to the pods on it, and
 * pending pods to the NodePools that refuse them. Nodes of other autoscalers and their pods are left out.
 */
export const graphOf = ({ pools, claims, classes, nodes, pods }: Objects): Graph => {
  const items: GraphItem[] = []
  const links: GraphLink[] = []
  const known = new Set<string>()
  const add = (kind: GraphItem['kind'], object: unknown, status: GraphTone): string => {
    const id = uidOf(object)
    if (id !== '' && !known.has(id)) {
      known.add(id)
      items.push({ id, kind, object, status })
    }
    return id
  }
  const link = (source: string, target: string): void => {
    if (known.has(source) && known.has(target)) links.push({ id: `${source}-${target}`, source, target })
  }

  const classIds = new Map(
    classes.map(({ group, kind, object }) => [
      `${group}/${kind}/${nameOf(object)}`,
      add('NodeClass', object, toneOf(readyStatus(object).tone)),
    ]),
  )
  const poolIds = new Map<string, string>()
  for (const pool of pools) {
    const id = add('NodePool', pool, toneOf(readyStatus(pool).tone))
    poolIds.set(nameOf(pool), id)
    const ref = nodeClassRefOf(pool)
    if (ref !== undefined) link(classIds.get(`${ref.group}/${ref.kind}/${ref.name}`) ?? '', id)
  }
  const byUid = new Map<string, unknown>()
  const byNode = new Map<string, unknown>()
  for (const claim of claims) {
    const { tone } = claimStatus(claim)
    const drifted = isTrue(claim, 'Drifted') ? 'warning' : toneOf(tone)
    const id = add('NodeClaim', claim, drifted)
    byUid.set(id, claim)
    const node = textAt(claim, 'status', 'nodeName')
    if (node !== undefined) byNode.set(node, claim)
    const owner = listAt(claim, 'metadata', 'ownerReferences').find((each) => textAt(each, 'kind') === 'NodePool')
    link(textAt(owner, 'uid') ?? poolIds.get(labelOf(claim, 'karpenter.sh/nodepool') ?? '') ?? '', id)
  }
  const nodeIds = new Map<string, string>()
  for (const node of nodes) {
    const claim = claimOfNode(node, byUid, byNode)
    if (claim === undefined) continue
    const id = add('Node', node, nodeTone(node))
    nodeIds.set(nameOf(node), id)
    link(uidOf(claim), id)
  }
  for (const pod of pods) {
    const node = nodeIds.get(textAt(pod, 'spec', 'nodeName') ?? '')
    if (node !== undefined) link(node, add('Pod', pod, podTone(pod)))
    else if (isPending(pod)) {
      const id = add('Pod', pod, 'warning')
      for (const pool of pools) if (refuses(pool, pod)) link(uidOf(pool), id)
    }
  }
  return { items, links }
}
