import { addQuantities, labels, type LabelVocabulary, type Quantity, type UsdPerHour, zero } from '@kerf/apis'
import { type NodeState, type Offering, schedule } from '@kerf/engine'
import { browserCluster, type ClusterObjects, type InstanceTypesByPool } from './cluster-snapshot.ts'
import { plannedNode } from './planned-node.ts'
import { labelPrices, type Prices } from './prices.ts'
import { at, objectName } from './read.ts'
import { movablePods } from './settle.ts'

/** The number, the allocatable resources and the cost of some nodes. */
export interface NodeSums {
  readonly nodes: number
  /** The allocatable resources. */
  readonly allocatable: { readonly cpu: Quantity; readonly memory: Quantity }
  /** Absent if a price is unknown. */
  readonly cost?: UsdPerHour
}

/** The current nodes, and the nodes in the plan of lowest cost that the engine finds for the same pods. */
export interface Compared {
  readonly now: NodeSums
  readonly planned: NodeSums
}

/** The comparison of the nodes with the plan of lowest cost, or the reason why there is none. */
export type LeastPlan =
  | (Compared & { readonly kind: 'known'; readonly byPool: ReadonlyMap<string, Compared> })
  /** There are too many pods to plan them in a browser. */
  | { readonly kind: 'tooMany'; readonly pods: number }
  /** Some running pods would fit on no new node, so their nodes cannot be compared with the plan. */
  | { readonly kind: 'unplaced'; readonly pods: number }
  /** No NodePool launches nodes. */
  | { readonly kind: 'none' }

/** Maximum number of pods for a plan in the browser. More pods would block the page for seconds. */
export const MOST_PLANNED_PODS = 5_000

const NO_NODES: NodeSums = { nodes: 0, allocatable: { cpu: zero, memory: zero }, cost: 0 }

const plus = (a: NodeSums, b: NodeSums): NodeSums => ({
  nodes: a.nodes + b.nodes,
  allocatable: {
    cpu: addQuantities(a.allocatable.cpu, b.allocatable.cpu),
    memory: addQuantities(a.allocatable.memory, b.allocatable.memory),
  },
  ...(a.cost === undefined || b.cost === undefined ? {} : { cost: a.cost + b.cost }),
})

const oneNode = ({ allocatable }: NodeState, price: Offering['price']): NodeSums => ({
  nodes: 1,
  allocatable: { cpu: allocatable['cpu'] ?? zero, memory: allocatable['memory'] ?? zero },
  ...(price === undefined ? {} : { cost: price }),
})

const added = (byPool: Map<string, NodeSums>, pool: string, sums: NodeSums): void => {
  byPool.set(pool, plus(byPool.get(pool) ?? NO_NODES, sums))
}

const total = (byPool: ReadonlyMap<string, NodeSums>): NodeSums => [...byPool.values()].reduce(plus, NO_NODES)

/**
 * Compares the nodes of the dynamic NodePools with the cheapest new nodes that the engine finds for the same running pods. Ignores pending
 * pods, nodes that are being deleted, static pools and other nodes.
 */
export const leastPlan = (
  objects: ClusterObjects,
  instanceTypes: InstanceTypesByPool,
  vocabulary: LabelVocabulary,
  prices: Prices = labelPrices,
): LeastPlan => {
  if (objects.pods.length > MOST_PLANNED_PODS) return { kind: 'tooMany', pods: MOST_PLANNED_PODS }
  const { snapshot } = browserCluster(objects, instanceTypes)
  if (snapshot.pools.length === 0) return { kind: 'none' }
  const isStatic = new Set(objects.pools.filter((pool) => at(pool, 'spec', 'replicas') !== undefined).map(objectName))
  const isReplaced = ({ nodePool, nodeClaim, markedForDeletion }: NodeState): boolean =>
    nodePool !== undefined && nodeClaim !== undefined && !markedForDeletion && !isStatic.has(nodePool)
  const replaced = snapshot.nodes.filter(isReplaced)
  // Pods cannot move to the other nodes, but the pods on these nodes still count for affinity and topology spread.
  const rest = snapshot.nodes.filter((node) => !isReplaced(node)).map((node) => ({ ...node, takesNoPods: true }))
  const running = replaced.flatMap(movablePods)
  const plan = schedule({ ...snapshot, nodes: rest }, running, { vocabulary })
  if (plan.unschedulable.length > 0) return { kind: 'unplaced', pods: plan.unschedulable.length }
  const claims = new Map(objects.claims.map((claim) => [objectName(claim), claim]))
  const now = new Map<string, NodeSums>()
  for (const node of replaced)
    added(now, node.labels[labels.nodePool] ?? '', oneNode(node, prices.instance(claims.get(node.nodeClaim ?? ''))))
  const planned = new Map<string, NodeSums>()
  for (const claim of plan.claims) {
    const node = plannedNode(claim, '', snapshot)
    if (node !== undefined) added(planned, claim.nodePool, oneNode(node, claim.cheapest.price))
  }
  const names = new Set([...now.keys(), ...planned.keys()])
  return {
    kind: 'known',
    now: total(now),
    planned: total(planned),
    byPool: new Map(
      [...names]
        .sort()
        .map((name) => [name, { now: now.get(name) ?? NO_NODES, planned: planned.get(name) ?? NO_NODES }]),
    ),
  }
}
