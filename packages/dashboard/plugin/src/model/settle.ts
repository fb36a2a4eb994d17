import { labels, type LabelVocabulary, type Pod, toQuantity, type UsdPerHour } from '@kerf/apis'
import {
  type ClusterSnapshot,
  type InstanceType,
  type NodeState,
  type Plan,
  type PlannedClaim,
  schedule,
  typeAllocatable,
  type UnschedulablePod,
} from '@kerf/engine'

/** What becomes of a cluster when pending pods have nodes and nodes are replaced. */
export interface Settled {
  /** Running pods that fit nowhere when their node was replaced. */
  readonly unschedulable: readonly UnschedulablePod[]
  /** Pending pods that get no node. */
  readonly unplaced: readonly UnschedulablePod[]
  /** The number of nodes that are launched for pending pods. */
  readonly launched: number
  /** The cost of all new nodes. */
  readonly cost: UsdPerHour
  /** The number of new nodes whose price is unknown. */
  readonly unpriced: number
}

/**
 * Maximum number of steps. If budgets require more, each step replaces more nodes than they allow, so that the page
 * is not blocked.
 */
const MOST_STEPS = 20

/** Returns a bound pod as if it were pending. */
const unbound = (pod: Pod): Pod => {
  const { nodeName: _, ...spec } = pod.spec
  return { ...pod, spec, status: { phase: 'Pending' } }
}

const isMovable = (pod: Pod): boolean =>
  !(pod.metadata.ownerReferences ?? []).some(({ kind }) => kind === 'DaemonSet' || kind === 'Node')

const boundTo =
  (node: string) =>
  (pod: Pod): Pod => ({ ...pod, spec: { ...pod.spec, nodeName: node } })

const singleLabels = ({ requirements }: InstanceType): Readonly<Record<string, string>> =>
  Object.fromEntries(
    requirements.flatMap(({ key, operator, values }) =>
      operator === 'In' && values?.length === 1 ? [[key, String(values[0])]] : [],
    ),
  )

/** Returns the node that a planned claim becomes. Its instance type is the cheapest possible one. */
const nodeOf = (claim: PlannedClaim, name: string, snapshot: ClusterSnapshot): NodeState | undefined => {
  const { nodePool, cheapest, pods } = claim
  const pool = snapshot.pools.find((each) => each.nodePool.metadata.name === nodePool)
  const type = pool?.instanceTypes.find((each) => each.name === cheapest.instanceType)
  if (type === undefined) return undefined
  return {
    ...{ name, hostName: name, nodeClaim: name, nodePool },
    labels: {
      ...singleLabels(type),
      ...claim.labels,
      [labels.nodePool]: nodePool,
      [labels.instanceType]: cheapest.instanceType,
      [labels.zone]: cheapest.zone,
      [labels.capacityType]: cheapest.capacityType,
      [labels.hostname]: name,
    },
    taints: claim.spec.taints ?? [],
    capacity: { ...type.capacity, nodes: toQuantity(1) },
    allocatable: Object.fromEntries(typeAllocatable(type)) as NodeState['allocatable'],
    ...{ initialized: false, managed: true, hasNode: false, markedForDeletion: false },
    pods: pods.map(boundTo(name)),
  }
}

/** The nodes of a cluster while it changes, and what was decided so far. */
class Changing {
  readonly #snapshot: ClusterSnapshot
  readonly #vocabulary: LabelVocabulary
  #nodes: readonly NodeState[]
  #launched = 0
  cost = 0
  unpriced = 0

  constructor(snapshot: ClusterSnapshot, vocabulary: LabelVocabulary) {
    this.#snapshot = snapshot
    this.#vocabulary = vocabulary
    this.#nodes = snapshot.nodes
  }

  get launched(): number {
    return this.#launched
  }

  /** Removes nodes and returns their pods, except those that stay with the node. */
  remove(isLeaving: (node: NodeState) => boolean): readonly Pod[] {
    const pods = this.#nodes.flatMap((node) => (isLeaving(node) ? node.pods.filter(isMovable).map(unbound) : []))
    this.#nodes = this.#nodes.filter((node) => !isLeaving(node))
    return pods
  }

  /**
   * Places pods on nodes and launches new ones. Repeats that with the pods that are left, as the provisioner does: a plan counts each claim
   * against the limits with its largest possible instance type, and the launched node may be smaller.
   */
  place(pods: readonly Pod[]): readonly UnschedulablePod[] {
    let left: readonly UnschedulablePod[] = []
    let waiting = pods
    while (waiting.length > 0) {
      const plan = schedule({ ...this.#snapshot, nodes: this.#nodes }, waiting, { vocabulary: this.#vocabulary })
      left = plan.unschedulable
      this.#add(plan)
      if (left.length === waiting.length || plan.claims.length === 0) break
      waiting = left.map(({ pod }) => pod)
    }
    return left
  }

  #add({ claims, placements, hourlyCost, unpricedClaims }: Plan): void {
    const moved = new Map(placements.map((placement) => [placement.node, placement.pods]))
    this.#nodes = [
      ...this.#nodes.map((node) => {
        const more = moved.get(node.name)
        return more === undefined ? node : { ...node, pods: [...node.pods, ...more.map(boundTo(node.name))] }
      }),
      ...claims.flatMap((claim, place) => nodeOf(claim, `new-${this.#launched + place}`, this.#snapshot) ?? []),
    ]
    this.#launched += claims.length
    this.cost += hourlyCost
    this.unpriced += unpricedClaims
  }
}

interface Plans {
  /** Pods that need a node. */
  readonly pending: readonly Pod[]
  readonly leaving: readonly NodeState[]
  /** How many nodes are replaced at a time, as budgets allow. */
  readonly atOnce: number
  readonly vocabulary: LabelVocabulary
}

/**
 * Returns what becomes of a cluster: pending pods and pods on nodes that are being deleted get nodes, and then the
 * leaving nodes are replaced as the drift controller does. The pods of each step are planned on the nodes that exist
 * then, including new ones. Planning all pods at once would be wrong: limits would count each claim with its largest
 * possible type, and pods that fit would be refused.
 */
export const settle = (snapshot: ClusterSnapshot, { pending, leaving, atOnce, vocabulary }: Plans): Settled => {
  const cluster = new Changing(snapshot, vocabulary)
  if (snapshot.pools.length === 0) return { unschedulable: [], unplaced: [], launched: 0, cost: 0, unpriced: 0 }
  const displaced = cluster.remove(({ markedForDeletion }) => markedForDeletion)
  const unschedulable: UnschedulablePod[] = []
  const running = new Set(displaced)
  let unplaced: readonly UnschedulablePod[] = cluster.place([...displaced, ...pending])
  const { launched } = cluster
  const names = leaving.filter(({ markedForDeletion }) => !markedForDeletion).map(({ name }) => name)
  const size = Math.max(1, atOnce, Math.ceil(names.length / MOST_STEPS))
  for (let first = 0; first < names.length; first += size) {
    const step = new Set(names.slice(first, first + size))
    unschedulable.push(...cluster.place(cluster.remove(({ name }) => step.has(name))))
  }
  if (names.length > 0 && unplaced.length > 0) unplaced = cluster.place(unplaced.map(({ pod }) => pod))
  return {
    unschedulable: [...unplaced.filter(({ pod }) => running.has(pod)), ...unschedulable],
    unplaced: unplaced.filter(({ pod }) => !running.has(pod)),
    ...{ launched, cost: cluster.cost, unpriced: cluster.unpriced },
  }
}
