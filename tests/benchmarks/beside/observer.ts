import { karpenterKinds, kinds, labels, type Milliseconds, type Node, type Pod } from '@kerf/apis'
import { PRICE_LABEL } from '@kerf/provider-kwok'
import type { Clock, InformerFactory } from '@kerf/runtime'
import { MEASURED } from './workload.ts'

/** The current state of the cluster, and what has changed since `mark` was called. */
export interface Sight {
  /** The number of pods that run on a node. */
  readonly running: number
  /** The number of measured pods in any state, including terminating pods. */
  readonly pods: number
  readonly nodes: number
  readonly claims: number
  /** The cost of all nodes in US dollars per hour. */
  readonly hourlyCost: number
  /** The number of pods that the eviction API, a taint or preemption has evicted. */
  readonly evictions: number
  readonly nodesMade: number
  readonly nodesGone: number
  /** The number of nodes that were both created and deleted since `mark`, so their launch was of no use. */
  readonly nodesUndone: number
  /** The cost since `mark`, in dollars. */
  readonly spent: number
  /** The hourly cost after each change, as pairs: milliseconds since `mark`, and US dollars per hour. */
  readonly costs: readonly (readonly [at: Milliseconds, hourlyCost: number])[]
  /** Milliseconds from `mark` until the last time that a node or a NodeClaim changed, or that a pod was bound to a node. */
  readonly lastChange: Milliseconds
}

/** Returns whether the pod was evicted: by the eviction API, by the taint manager, or by the scheduler's preemption. */
const isPushedOff = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'DisruptionTarget' && status === 'True') ?? false

const isMeasured = (pod: Pod): boolean => pod.metadata.labels?.[MEASURED] !== undefined

const nodePrice = (node: Node): number => Number(node.metadata.labels?.[PRICE_LABEL] ?? 0)

const isOurs = (node: Node): boolean => node.metadata.labels?.[labels.nodePool] !== undefined

/** Observes what an autoscaler does to a cluster. It only reads API objects, so that all autoscalers are measured the same way. */
export class Observer {
  readonly #informers: InformerFactory
  readonly #clock: Clock
  readonly #evicted = new Set<string>()
  readonly #nodes = new Map<string, number>()
  #made = 0
  #gone = 0
  /** The names of nodes created since `mark`. */
  readonly #young = new Set<string>()
  #undone = 0
  #marked = { at: 0, evicted: 0, made: 0, gone: 0 }
  #lastChange: Milliseconds = 0
  #hourlyCost = 0
  #spent = 0
  #spentUntil: Milliseconds = 0
  #costs: (readonly [Milliseconds, number])[] = []

  constructor(informers: InformerFactory, clock: Clock) {
    this.#informers = informers
    this.#clock = clock
    informers.of(kinds.Pod).onChange(({ before, after }) => this.#onPod(before, after))
    informers.of(kinds.Node).onChange(({ before, after }) => this.#onNode(before, after))
    informers.of(karpenterKinds.NodeClaim).onChange(({ before, after }) => {
      if (before === undefined || after === undefined || isEnding(before) !== isEnding(after)) this.#changed()
    })
    this.mark()
  }

  /** Resets counts and times. */
  mark(): void {
    const at = this.#clock.monotonic()
    this.#marked = { at, evicted: this.#evicted.size, made: this.#made, gone: this.#gone }
    this.#young.clear()
    this.#undone = 0
    this.#lastChange = at
    this.#spent = 0
    this.#spentUntil = at
    this.#costs = [[0, this.#hourlyCost]]
  }

  sight(): Sight {
    this.#spend()
    const pods = [...this.#informers.of(kinds.Pod).values()].filter(isMeasured)
    return {
      pods: pods.length,
      running: pods.filter((pod) => pod.status?.phase === 'Running' && pod.metadata.deletionTimestamp === undefined)
        .length,
      nodes: this.#nodes.size,
      claims: this.#informers.of(karpenterKinds.NodeClaim).size,
      hourlyCost: this.#hourlyCost,
      evictions: this.#evicted.size - this.#marked.evicted,
      nodesMade: this.#made - this.#marked.made,
      nodesGone: this.#gone - this.#marked.gone,
      nodesUndone: this.#undone,
      spent: this.#spent,
      costs: this.#costs,
      lastChange: this.#lastChange - this.#marked.at,
    }
  }

  /** How long nothing has changed. */
  get quietFor(): Milliseconds {
    return this.#clock.monotonic() - this.#lastChange
  }

  #onPod(before: Pod | undefined, after: Pod | undefined): void {
    const pod = after ?? before
    if (pod === undefined || !isMeasured(pod)) return
    if (isPushedOff(pod)) this.#evicted.add(pod.metadata.uid ?? '')
    if (before?.spec.nodeName !== after?.spec.nodeName || before?.status?.phase !== after?.status?.phase) {
      this.#changed()
    }
  }

  #onNode(before: Node | undefined, after: Node | undefined): void {
    const node = after ?? before
    if (node === undefined || !isOurs(node)) return
    const name = node.metadata.name
    this.#spend()
    if (after === undefined) {
      if (this.#nodes.delete(name)) this.#gone += 1
      if (this.#young.delete(name)) this.#undone += 1
      this.#changed()
    } else {
      if (!this.#nodes.has(name)) {
        this.#made += 1
        this.#young.add(name)
        this.#changed()
      }
      if (before !== undefined && isClosed(before) !== isClosed(after)) this.#changed()
      this.#nodes.set(name, nodePrice(after))
    }
    const cost = [...this.#nodes.values()].reduce((sum, price) => sum + price, 0)
    if (cost !== this.#hourlyCost) this.#costs.push([this.#clock.monotonic() - this.#marked.at, cost])
    this.#hourlyCost = cost
  }

  #spend(): void {
    const now = this.#clock.monotonic()
    this.#spent += (this.#hourlyCost * (now - this.#spentUntil)) / 3_600_000
    this.#spentUntil = now
  }

  #changed(): void {
    this.#lastChange = this.#clock.monotonic()
  }
}

const isEnding = ({ metadata }: { readonly metadata: { readonly deletionTimestamp?: string } }): boolean =>
  metadata.deletionTimestamp !== undefined

/** Returns whether the node is tainted for disruption, or terminating. */
const isClosed = (node: Node): boolean =>
  isEnding(node) || (node.spec.taints?.some(({ key }) => key === 'karpenter.sh/disrupted') ?? false)
