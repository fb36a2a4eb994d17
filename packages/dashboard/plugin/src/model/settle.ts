import type { LabelVocabulary, Pod, UsdPerHour } from '@kerf/apis'
import {
  type ClusterSnapshot,
  indexSnapshot,
  type NodeState,
  type Plan,
  schedule,
  type UnschedulablePod,
  withNewNodes,
  withoutNodes,
} from '@kerf/engine'
import { boundTo, plannedNode } from './planned-node.ts'

/** The state of a cluster after pending pods got nodes and nodes were replaced. */
export interface Settled {
  /** Running pods that fit nowhere else. They keep their drifted node, unless their node is being deleted already. */
  readonly unschedulable: readonly UnschedulablePod[]
  /** Pending pods that get no node. */
  readonly unplaced: readonly UnschedulablePod[]
  /** The number of nodes that are launched for pending pods. */
  readonly launched: number
  /** The names of the NodeClaims that are not replaced, because their pods fit nowhere else. */
  readonly kept: readonly string[]
  /** The number of all new nodes. */
  readonly nodes: number
  /** The cost of all new nodes. */
  readonly cost: UsdPerHour
  /** The number of new nodes whose price is unknown. */
  readonly unpriced: number
}

/**
 * Maximum number of steps. If more nodes have to be replaced, each step replaces several of them, so that the page is
 * not blocked.
 */
const MOST_STEPS = 20

/** Returns a bound pod as if it were pending. */
const unbound = (pod: Pod): Pod => {
  const { nodeName: _, ...spec } = pod.spec
  return { ...pod, spec, status: { phase: 'Pending' } }
}

const isMovable = (pod: Pod): boolean =>
  !(pod.metadata.ownerReferences ?? []).some(({ kind }) => kind === 'DaemonSet' || kind === 'Node')

const podOf = ({ pod }: UnschedulablePod): Pod => pod
const nodeName = ({ name }: NodeState): string => name
const podUid = ({ metadata }: Pod): string => metadata.uid ?? ''

/** Returns the pods that need another node when this one is deleted, as if they were pending. */
export const movablePods = ({ pods }: NodeState): readonly Pod[] => pods.filter(isMovable).map(unbound)

/** The result of one step of the replacement. */
interface ReplacementStep {
  readonly isReplaced: boolean
  /** The names of the nodes that are still to be replaced, in the order in which the next step tries them. */
  readonly remaining: readonly string[]
  /** For each pod that fits nowhere else, the reason, keyed by the UID of the pod. These pods prevent the replacement of their nodes. */
  readonly reasons: ReadonlyMap<string, UnschedulablePod>
}

/** The nodes of a cluster during the forecast, and the decisions so far. */
class Changing {
  /** The cluster at present. What removed nodes used of the ceilings is free again, and new nodes use a part of it. */
  #snapshot: ClusterSnapshot
  readonly #vocabulary: LabelVocabulary
  #launched = 0
  cost = 0
  unpriced = 0

  constructor(snapshot: ClusterSnapshot, vocabulary: LabelVocabulary) {
    this.#snapshot = snapshot
    this.#vocabulary = vocabulary
  }

  get launched(): number {
    return this.#launched
  }

  /** Returns the nodes with these names, with the pods that they have now. */
  nodes(names: readonly string[]): readonly NodeState[] {
    const byName = new Map(this.#snapshot.nodes.map((node) => [node.name, node]))
    return names.flatMap((name) => byName.get(name) ?? [])
  }

  /** Removes nodes and returns their pods, except pods that cannot move to another node. */
  remove(isLeaving: (node: NodeState) => boolean): readonly Pod[] {
    const pods = this.#snapshot.nodes.flatMap((node) => (isLeaving(node) ? movablePods(node) : []))
    this.#snapshot = withoutNodes(this.#snapshot, isLeaving)
    return pods
  }

  /**
   * Places pods on nodes and launches new nodes for the others. Repeats this with the pods that still have no node, as
   * the provisioner does. A plan counts each claim against the limits with its largest possible instance type, but the
   * launched node may be smaller, so that the next attempt may find space below the limits.
   */
  place(pods: readonly Pod[]): readonly UnschedulablePod[] {
    let left: readonly UnschedulablePod[] = []
    let waiting = pods
    while (waiting.length > 0) {
      const plan = schedule(this.#snapshot, waiting, { vocabulary: this.#vocabulary })
      left = plan.unschedulable
      this.#add(plan)
      if (left.length === waiting.length || plan.claims.length === 0) break
      waiting = left.map(({ pod }) => pod)
    }
    return left
  }

  /**
   * Replaces the first of these nodes whose pods all fit elsewhere, as the drift controller does in one pass. If `size`
   * is more than 1, replaces up to `size` nodes together. Returns the nodes that remain to be replaced, and why pods of
   * the nodes that were tried fit nowhere else.
   */
  replaceNext(names: readonly string[], size: number, pending: readonly Pod[]): ReplacementStep {
    const leaving = this.nodes(names)
    const reasons = new Map<string, UnschedulablePod>()
    const refused: NodeState[] = []
    const lists = leaving.map(({ pods }) => pods.filter(isMovable))
    const options = { vocabulary: this.#vocabulary, reservedMode: 'Fallback' } as const
    const index = indexSnapshot(this.#snapshot, pending, lists, options)
    for (let first = 0; first < leaving.length; first += size) {
      let batch = leaving.slice(first, first + size)
      while (batch.length > 0) {
        const plan = index.whatIf(batch.map(({ name }) => name))
        const moving = new Set(batch.flatMap(movablePods).map(podUid))
        const unplaced = plan.unschedulable.filter(({ pod }) => moving.has(podUid(pod)))
        if (unplaced.length === 0) {
          this.#replace(batch, plan, moving)
          const untried = leaving.slice(first + size)
          const remaining = size === 1 ? [...refused, ...untried] : [...untried, ...refused]
          return { isReplaced: true, remaining: remaining.map(nodeName), reasons }
        }
        for (const each of unplaced) reasons.set(podUid(each.pod), each)
        const isRefused = (node: NodeState): boolean => node.pods.some((pod) => reasons.has(podUid(pod)))
        refused.push(...batch.filter(isRefused))
        batch = batch.filter((node) => !isRefused(node))
      }
    }
    return { isReplaced: false, remaining: refused.map(nodeName), reasons }
  }

  /**
   * Removes the nodes, and launches those nodes of the plan that their pods need. Nodes of the plan for other pods are
   * left to the provisioner.
   */
  #replace(leaving: readonly NodeState[], plan: Plan, moving: ReadonlySet<string>): void {
    const names = new Set(leaving.map(({ name }) => name))
    this.#snapshot = withoutNodes(this.#snapshot, ({ name }) => names.has(name))
    const claims = plan.claims.filter(({ pods }) => pods.some((pod) => moving.has(podUid(pod))))
    this.#add({ claims, placements: plan.placements })
  }

  /** Returns which of these pods have no node. */
  withoutNode(pods: readonly UnschedulablePod[]): readonly UnschedulablePod[] {
    const placed = new Set(this.#snapshot.nodes.flatMap((node) => node.pods.map(podUid)))
    return pods.filter(({ pod }) => !placed.has(podUid(pod)))
  }

  #add({ claims, placements }: Pick<Plan, 'claims' | 'placements'>): void {
    const moved = new Map(placements.map((placement) => [placement.node, placement.pods]))
    const launched = claims.flatMap((claim, place) => {
      const node = plannedNode(claim, `new-${this.#launched + place}`, this.#snapshot)
      return node === undefined ? [] : [{ node, price: claim.cheapest.price }]
    })
    const nodes = this.#snapshot.nodes.map((node) => {
      const more = moved.get(node.name)
      return more === undefined ? node : { ...node, pods: [...node.pods, ...more.map(boundTo(node.name))] }
    })
    this.#snapshot = withNewNodes({ ...this.#snapshot, nodes }, launched)
    this.#launched += claims.length
    for (const { cheapest } of claims) {
      if (cheapest.price === undefined) this.unpriced++
      else this.cost += cheapest.price
    }
  }
}

interface Plans {
  /** Pods that need a node. */
  readonly pending: readonly Pod[]
  /** The nodes to replace, in the order in which the controller tries them. */
  readonly leaving: readonly NodeState[]
  readonly vocabulary: LabelVocabulary
}

/**
 * Replaces the nodes one after the other. After each step, tries again to place the pods that are still pending,
 * because a replacement may free a part of a limit. Ends when no remaining node can be replaced.
 */
const replaceAll = (
  cluster: Changing,
  leaving: readonly NodeState[],
  pending: readonly UnschedulablePod[],
): ReplacementStep & { readonly unplaced: readonly UnschedulablePod[] } => {
  const isBusy = (node: NodeState): number => (movablePods(node).length > 0 ? 1 : 0)
  const size = Math.ceil(leaving.length / MOST_STEPS)
  let unplaced = pending
  let step: ReplacementStep = {
    isReplaced: true,
    remaining: leaving.toSorted((a, b) => isBusy(a) - isBusy(b)).map(nodeName),
    reasons: new Map(),
  }
  while (step.isReplaced && step.remaining.length > 0) {
    step = cluster.replaceNext(step.remaining, size, unplaced.map(podOf))
    if (step.isReplaced) unplaced = cluster.place(cluster.withoutNode(unplaced).map(podOf))
  }
  return { ...step, unplaced }
}

/**
 * Forecasts the state of a cluster. First, pending pods and pods on nodes that are being deleted get nodes. Then the leaving nodes are
 * replaced one after the other, as the drift controller does. Budgets are ignored, because they only delay the replacement. After each
 * replacement, the forecast tries again to place the pods that are still pending, because a replacement may lower the use of a limit.
 */
export const settle = (snapshot: ClusterSnapshot, { pending, leaving, vocabulary }: Plans): Settled => {
  const cluster = new Changing(snapshot, vocabulary)
  const alive = leaving.filter(({ markedForDeletion }) => !markedForDeletion)
  if (snapshot.pools.length === 0) {
    const kept = alive.flatMap(({ nodeClaim }) => nodeClaim ?? [])
    return { unschedulable: [], unplaced: [], launched: 0, kept, nodes: 0, cost: 0, unpriced: 0 }
  }
  const displaced = cluster.remove(({ markedForDeletion }) => markedForDeletion)
  const running = new Set(displaced.map(podUid))
  const first = cluster.place([...displaced, ...pending])
  const { launched } = cluster
  const { remaining, reasons, unplaced } = replaceAll(cluster, alive, first)
  return {
    unschedulable: [
      ...unplaced.filter(({ pod }) => running.has(podUid(pod))),
      ...cluster
        .nodes(remaining)
        .flatMap(movablePods)
        .flatMap((pod) => reasons.get(podUid(pod)) ?? []),
    ],
    unplaced: unplaced.filter(({ pod }) => !running.has(podUid(pod))),
    kept: cluster.nodes(remaining).flatMap(({ nodeClaim }) => nodeClaim ?? []),
    ...{ launched, nodes: cluster.launched, cost: cluster.cost, unpriced: cluster.unpriced },
  }
}
