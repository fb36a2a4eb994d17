import { isScheduled, kinds, type Pod } from '@kerf/apis'
import type { Change, Informer } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import type { ExpectedPlaces } from '../pod/placement/expected-places.ts'
import { Placements } from '../pod/placement/placements.ts'
import { refusedPodMetrics } from '../pod/placement/refused-pod-metrics.ts'
import { RefusedPods } from '../pod/placement/refused-pods.ts'
import { podKey } from '../pod/pod-predicates.ts'
import { ifReadable } from './isolation/if-readable.ts'
import type { Isolation } from './isolation/isolation.ts'
import { PodIndex } from './pod-index.ts'
import { type KnownNodes, PodSuccession, type SuccessionListener } from './pod-succession.ts'
import { PodTimings, podDecisionMetrics } from './pod-timings.ts'

/** The nodes that pods run on, and a callback for changes that may make a consolidation possible. */
interface Cluster extends KnownNodes {
  readonly isolation: Isolation
  markUnconsolidated(): void
}

/**
 * Tracks pods: their nodes, their planned nodes, and the times of decisions about them. The pod informer updates this class, which updates
 * `StateNode.pods` synchronously.
 */
export class PodMirror {
  readonly index = new PodIndex()
  readonly placements = new Placements()
  readonly refusedPods: RefusedPods
  readonly timings: PodTimings
  readonly #pods: Informer<Pod>
  readonly #cluster: Cluster
  readonly #succession: PodSuccession
  /** The node of each unreadable pod, keyed by pod. */
  readonly #unreadable = new Map<string, string>()
  #version = 0

  constructor(deps: Pick<Deps, 'clock' | 'informers' | 'metrics'>, cluster: Cluster) {
    this.#pods = deps.informers.of(kinds.Pod)
    this.#cluster = cluster
    this.#succession = new PodSuccession(this.placements, cluster, deps.clock)
    this.refusedPods = new RefusedPods(deps.clock)
    const { paused } = refusedPodMetrics.register(deps.metrics)
    deps.metrics.onScrape(() => paused.set(this.refusedPods.pausedCount))
    const decided = podDecisionMetrics.register(deps.metrics).decided
    this.timings = new PodTimings((span) => decided.observe(span / 1000))
  }

  /** Subscribes to the informer. Must be called before the informer runs. Returns a function that unsubscribes. */
  follow(): () => void {
    return this.#pods.onChange((change) => this.#onPodApart(change))
  }

  /** Returns whether any pod on the node is unreadable, so that it is not fully known what runs on the node. */
  hasUnreadable(nodeName: string): boolean {
    for (const name of this.#unreadable.values()) if (name === nodeName) return true
    return false
  }

  /** Applies one change. An error affects only this pod. */
  #onPodApart(change: Change<Pod>): void {
    const pod = change.after ?? change.before
    if (pod === undefined) return
    const key = ifReadable(() => podKey(pod)) ?? ''
    const apply = (): true => {
      this.#onPod(change)
      return true
    }
    const isRead = this.#cluster.isolation.guard('Pod', 'state', pod, apply, false)
    if (isRead || change.after === undefined) this.#unreadable.delete(key)
    else this.#unreadable.set(key, ifReadable(() => pod.spec.nodeName) ?? '')
  }

  /** A version that increases with every change of pods, and with every decision about them. */
  get version(): number {
    return this.#version + this.placements.version + this.expectedPlaces.version
  }

  /** Records that a claim was created for the pod. The claim becomes the planned place of the pod or of its replacement. */
  assignToClaim(pod: Pod, claim: string): void {
    const { untried, provisionable } = this.index
    this.#succession.claimMade(pod, claim, this.#pods.get(podKey(pod)), [untried, provisionable])
  }

  /** The places of expected pods. Their owners have not created them yet. */
  get expectedPlaces(): ExpectedPlaces {
    return this.#succession.expected
  }

  /** See `PodSuccession.successorPlaces`. */
  successorPlaces(family: string): ReadonlyMap<string, string> {
    return this.#succession.successorPlaces(family)
  }

  /** See `ClusterState.moveSuccessor`. */
  moveSuccessor(left: string, target: string): void {
    this.#succession.moveSuccessor(left, target)
  }

  /** See `ClusterState.awaitsSuccessor`. */
  awaitsSuccessor(target: string): boolean {
    return this.#succession.awaitsSuccessor(target)
  }

  /** Assigns the places of expected pods to pods that have been created in the meantime. */
  offerExpectedPlaces(): void {
    const { untried, provisionable } = this.index
    this.#succession.offer([untried, provisionable])
  }

  /** See `PodSuccession.onTaken`. */
  onSuccession(listener: SuccessionListener): () => void {
    return this.#succession.onTaken(listener)
  }

  #onPod({ before, after }: Change<Pod>): void {
    this.#version++
    if (after === undefined) {
      if (before === undefined) return
      this.timings.forget(before)
      this.#succession.gone(before)
      this.refusedPods.gone(before)
      this.#cluster.markUnconsolidated()
      this.#refreshPods(this.index.remove(before).nodes)
      return
    }
    const isOther = before !== undefined && before.metadata.uid !== after.metadata.uid
    if (isOther) {
      this.timings.forget(before)
      this.#succession.gone(before)
      this.refusedPods.gone(before)
      this.#cluster.markUnconsolidated()
    }
    // The placement ends only when the pod is bound. Later changes must not end it: if the node is deleted, the bound pod may be planned
    // for another node.
    if (isScheduled(after) && (before === undefined || !isScheduled(before))) {
      const { nodeName = '' } = after.spec
      this.#succession.bound(after, this.#cluster.byNodeName(nodeName)?.claim?.metadata.name ?? nodeName)
    }
    if (isScheduled(after)) this.refusedPods.bound(after)
    else if (before === undefined || isOther) this.refusedPods.came(after)
    if (before === undefined || isOther) this.#succession.came(after)
    else this.#succession.changed(before, after)
    const { nodes, bound } = this.index.put(after)
    if (bound) this.#cluster.markUnconsolidated()
    this.#refreshPods(nodes)
  }

  #refreshPods(nodeNames: readonly string[]): void {
    for (const name of nodeNames) {
      const node = this.#cluster.byNodeName(name)
      if (node !== undefined) node.pods = this.index.on(name)
    }
  }
}
