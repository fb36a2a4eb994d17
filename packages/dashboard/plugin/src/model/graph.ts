import { findConditionRow } from './conditions.ts'
import { poolNodeClassRef } from './node-class-kinds.ts'
import { joinNodes } from './node-join.ts'
import { isPending } from './pending-pods.ts'
import { listAt, objectLabel, objectName, textAt } from './read.ts'
import { claimSigns, readyStatus, type Tone, worstTone } from './status.ts'

export type GraphTone = 'success' | 'warning' | 'error'

/** A box on the map. It stands for one object, or for a number of objects. */
export type GraphItem =
  | {
      readonly id: string
      readonly kind: 'NodePool' | 'NodeClaim' | 'NodeClass'
      readonly object: unknown
      readonly status: GraphTone
    }
  | {
      readonly id: string
      readonly kind: 'Node'
      readonly name: string
      /** The pods on the Node. The user sees them when the box is opened. */
      readonly members: readonly unknown[]
      readonly status: GraphTone
    }
  | {
      readonly id: string
      readonly kind: 'NodeClaims' | 'Pods' | 'PendingPods'
      /** The objects for which the box stands. */
      readonly members: readonly unknown[]
      readonly status: GraphTone
    }

/** The box of a Node, which contains its pods. */
export type NodeItem = Extract<GraphItem, { readonly kind: 'Node' }>

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
  /** Node classes, with the group and the kind under which they are served. */
  readonly classes: readonly { readonly group: string; readonly kind: string; readonly object: unknown }[]
  readonly nodes: readonly unknown[]
  readonly pods: readonly unknown[]
}

/**
 * Maximum number of NodeClaims of a pool that each have a box. In a larger pool, only NodeClaims with problems have a
 * box, and the others are counted in one, because hundreds of boxes are unreadable.
 */
const MOST_SINGLE = 8

const objectUid = (object: unknown): string => textAt(object, 'metadata', 'uid') ?? ''
const toneOf = (tone: Tone): GraphTone => (tone === '' ? 'success' : tone)
const claimTone = (claim: unknown): GraphTone => worstTone(claimSigns(claim))
const severest = (a: unknown, b: unknown): number => Number(claimTone(b) === 'error') - Number(claimTone(a) === 'error')

const podTone = (pods: readonly unknown[]): GraphTone => {
  const phases = new Set(pods.map((pod) => textAt(pod, 'status', 'phase')))
  return phases.has('Failed') ? 'error' : phases.has('Pending') ? 'warning' : 'success'
}

/**
 * Returns the status of a Node. It is `success` unless a problem is known. So it is also `success` if the user is not
 * allowed to read the Node, or if the Node has not reported its Ready condition yet.
 */
const nodeTone = (node: unknown): GraphTone => {
  const status = findConditionRow(node, 'Ready')?.status
  return status === undefined || status === 'True' ? 'success' : 'error'
}

const groupedBy = (
  objects: readonly unknown[],
  keyOf: (object: unknown) => string,
): ReadonlyMap<string, readonly unknown[]> => {
  const groups = new Map<string, unknown[]>()
  for (const object of objects) {
    const group = groups.get(keyOf(object))
    if (group === undefined) groups.set(keyOf(object), [object])
    else group.push(object)
  }
  return groups
}

/** Returns the pool that a pending pod selects, if any. */
const wantedPool = (pod: unknown): string => textAt(pod, 'spec', 'nodeSelector', 'karpenter.sh/nodepool') ?? ''

/**
 * Returns the map of a cluster, NodePool by NodePool: the pool's node class, its NodeClaims, and their Nodes with the
 * number of pods on them. Pending pods have a separate box. If they select a pool, this box is next to the pool. Nodes
 * of other autoscalers and their pods are omitted.
 *
 * No box has the uid of a Node or Pod. Headlamp draws Nodes and Pods itself, and a link to one of them would remove it
 * from Headlamp's groups.
 */
export const buildGraph = ({ pools, claims, classes, nodes, pods }: Objects): Graph => {
  const items: GraphItem[] = []
  const links: GraphLink[] = []
  const link = (source: string, target: string): void => {
    links.push({ id: `${source}-${target}`, source, target })
  }
  const classOf = new Map(classes.map((each) => [`${each.group}/${each.kind}/${objectName(each.object)}`, each.object]))
  const used = new Set<unknown>()
  const poolNames = new Map(pools.map((pool) => [objectUid(pool), objectName(pool)]))
  const claimsByPool = groupedBy(claims, (claim) => {
    const owner = listAt(claim, 'metadata', 'ownerReferences').find((each) => textAt(each, 'kind') === 'NodePool')
    return poolNames.get(textAt(owner, 'uid') ?? '') ?? objectLabel(claim, 'karpenter.sh/nodepool') ?? ''
  })
  const { nodes: nodeOf } = joinNodes(claims, nodes)
  const podsByNode = groupedBy(pods, (pod) => textAt(pod, 'spec', 'nodeName') ?? '')
  const podsOf = (some: readonly unknown[]): readonly unknown[] =>
    some.flatMap((claim) => {
      const node = nodeOf.get(objectName(claim))
      return node === undefined ? [] : podsByNode.get(node) ?? []
    })
  const nodesByName = new Map(nodes.map((node) => [objectName(node), node]))
  const addNode = (from: string, claim: unknown): void => {
    const name = nodeOf.get(objectName(claim))
    if (name === undefined) return
    const node = nodesByName.get(name)
    const running = podsByNode.get(name) ?? []
    if (node === undefined && running.length === 0) return
    const status = nodeTone(node) === 'error' ? 'error' : podTone(running)
    items.push({ id: `${from}/node`, kind: 'Node', name, members: running, status })
    link(from, `${from}/node`)
  }
  const addPods = (from: string, some: readonly unknown[]): void => {
    const running = podsOf(some)
    if (running.length === 0) return
    items.push({ id: `${from}/pods`, kind: 'Pods', members: running, status: podTone(running) })
    link(from, `${from}/pods`)
  }
  const pending = groupedBy(pods.filter(isPending), wantedPool)
  const addPending = (pool: string, waiting: readonly unknown[]): string => {
    const id = `${pool}/pending`
    items.push({ id, kind: 'PendingPods', members: waiting, status: 'warning' })
    return id
  }

  /** Adds the claims of a pool. If `isPool` is false, `pool` only makes the ids unique, and there is no link to it. */
  const addClaims = (pool: string, all: readonly unknown[], isPool = true): void => {
    const own = all.filter((claim) => objectUid(claim) !== '')
    const unhealthy = own.filter((claim) => claimTone(claim) !== 'success').sort(severest)
    const single = own.length <= MOST_SINGLE ? own : unhealthy.slice(0, MOST_SINGLE)
    for (const claim of single) {
      items.push({ id: objectUid(claim), kind: 'NodeClaim', object: claim, status: claimTone(claim) })
      if (isPool) link(pool, objectUid(claim))
      addNode(objectUid(claim), claim)
    }
    const counted = own.filter((claim) => !single.includes(claim))
    if (counted.length === 0) return
    const id = `${pool}/claims`
    items.push({ id, kind: 'NodeClaims', members: counted, status: worstTone(counted.flatMap(claimSigns)) })
    if (isPool) link(pool, id)
    addPods(id, counted)
  }

  for (const pool of pools) {
    const id = objectUid(pool)
    if (id === '') continue
    items.push({ id, kind: 'NodePool', object: pool, status: toneOf(readyStatus(pool).tone) })
    const ref = poolNodeClassRef(pool)
    const nodeClass = ref === undefined ? undefined : classOf.get(`${ref.group}/${ref.kind}/${ref.name}`)
    if (nodeClass !== undefined) {
      used.add(nodeClass)
      // Each pool has its own box for its node class, because a shared box would merge pools into one group.
      items.push({
        id: `${id}/class`,
        kind: 'NodeClass',
        object: nodeClass,
        status: toneOf(readyStatus(nodeClass).tone),
      })
      link(`${id}/class`, id)
    }
    addClaims(id, claimsByPool.get(objectName(pool)) ?? [])
    const waiting = pending.get(objectName(pool))
    if (waiting !== undefined) link(id, addPending(id, waiting))
  }
  for (const { object } of classes)
    if (!used.has(object) && objectUid(object) !== '')
      items.push({ id: objectUid(object), kind: 'NodeClass', object, status: toneOf(readyStatus(object).tone) })
  const names = new Set(pools.map(objectName))
  addClaims(
    'kerf',
    [...claimsByPool].flatMap(([pool, own]) => (names.has(pool) ? [] : own)),
    false,
  )
  const apart = [...pending].flatMap(([pool, waiting]) => (names.has(pool) ? [] : waiting))
  if (apart.length > 0) addPending('kerf', apart)
  return { items, links }
}
