import { isScheduled, kinds, type Pod } from '@kerf/apis'
import type { Change, Informer } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { ifReadable } from '../isolation/if-readable.ts'
import type { Isolation } from '../isolation/isolation.ts'
import { Placements } from '../placements/placements.ts'
import { refusedPodMetrics } from '../placements/refused-pod-metrics.ts'
import { RefusedPods } from '../placements/refused-pods.ts'
import { podKey } from '../pods/pod-predicates.ts'
import { PodLedger } from './pod-ledger.ts'
import { type KnownNodes, PodSuccession, type SuccessionListener } from './pod-succession.ts'
import { PodTimings, podDecisionMetrics } from './pod-timings.ts'

/** The nodes that pods are on, and who has to hear that some might be consolidated now. */
interface Cluster extends KnownNodes {
  readonly isolation: Isolation
  markUnconsolidated(): void
}

/**
 * The pods' side of the mirror: where pods are, where they are going and when they were decided about, kept change by change
 * from the pod informer. `StateNode.pods` follows in the same turn.
 */
export class PodMirror {
  readonly ledger = new PodLedger()
  readonly placements = new Placements()
  readonly refusedPods: RefusedPods
  readonly timings: PodTimings
  readonly #pods: Informer<Pod>
  readonly #cluster: Cluster
  readonly #succession: PodSuccession
  /** The Node of each pod that cannot be read, by the pod's key. */
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

  /** Starts to follow the informer; call it before it runs. Returns the way to stop. */
  follow(): () => void {
    return this.#pods.onChange((change) => this.#onPodApart(change))
  }

  /** Whether a pod on the node cannot be read: what is on the node is not known. */
  hasUnreadable(nodeName: string): boolean {
    for (const name of this.#unreadable.values()) if (name === nodeName) return true
    return false
  }

  /** What throws concerns this pod alone. */
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

  /** Rises with every change of pods, and of what was decided about them. */
  get version(): number {
    return this.#version + this.placements.version
  }

  /** A claim was made for the pod: the pod goes there, or who has come, or will come, in its place. */
  assignToClaim(pod: Pod, claim: string): void {
    const { untried, provisionable } = this.ledger
    this.#succession.claimMade(pod, claim, this.#pods.get(podKey(pod)), [untried, provisionable])
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
      this.#refreshPods(this.ledger.remove(before).nodes)
      return
    }
    const isOther = before !== undefined && before.metadata.uid !== after.metadata.uid
    if (isOther) {
      this.timings.forget(before)
      this.#succession.gone(before)
      this.refusedPods.gone(before)
      this.#cluster.markUnconsolidated()
    }
    // Not again when a bound pod changes: once its node is to go, it may be planned for another.
    if (isScheduled(after) && (before === undefined || !isScheduled(before))) this.placements.forget(after)
    if (isScheduled(after)) this.refusedPods.bound(after)
    else if (before === undefined || isOther) this.refusedPods.came(after)
    if (before === undefined || isOther) this.#succession.came(after)
    else this.#succession.changed(before, after)
    const { nodes, bound } = this.ledger.put(after)
    if (bound) this.#cluster.markUnconsolidated()
    this.#refreshPods(nodes)
  }

  #refreshPods(nodeNames: readonly string[]): void {
    for (const name of nodeNames) {
      const node = this.#cluster.byNodeName(name)
      if (node !== undefined) node.pods = this.ledger.on(name)
    }
  }
}
