import type { Pod } from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'
import { isOfDaemonSet } from './daemon-pods.ts'
import { isOfOthers } from './others-pods.ts'

/**
 * The maximum age of the state on which Kerf bases a decision. A consolidation starts 15 s after it was planned, and a watch may lag by 30
 * s, so Kerf may have planned for a pod that has ended since then.
 */
const KNOWN_AFTER = 30_000

const isDone = ({ status }: Pod): boolean => ['Succeeded', 'Failed'].includes(status?.phase ?? '')

/**
 * Records the pods that needed a node from Kerf over time. A pod of another autoscaler counts only while it runs on a node that Kerf
 * removes, because Kerf must replace that capacity.
 */
export class PodDemand {
  readonly #environment: Environment
  readonly #lastWanted = new Map<string, number>()
  readonly #firstWanted = new Map<string, number>()
  /**
   * Pods on nodes that Kerf is not removing. A pod that has disappeared stays here for a while, with the time when it was first missing.
   */
  readonly #settled = new Map<string, { readonly nodeName: string; readonly missingSince: number | undefined }>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Records the current state. Must be called whenever an object has changed. */
  note(): void {
    const now = this.#environment.clock.monotonic()
    const isLeaving = this.#leaving()
    const want = (uid: string): void => {
      this.#lastWanted.set(uid, now)
      if (!this.#firstWanted.has(uid)) this.#firstWanted.set(uid, now)
    }
    const running = new Set<string>()
    for (const pod of this.#environment.pods()) {
      const { nodeName } = pod.spec
      const uid = pod.metadata.uid ?? ''
      if (isDone(pod) || isOfDaemonSet(pod) || (isOfOthers(pod) && nodeName === undefined)) continue
      if (nodeName !== undefined && !isLeaving(nodeName)) {
        running.add(uid)
        this.#settled.set(uid, { nodeName, missingSince: undefined })
      } else {
        this.#settled.delete(uid)
        want(uid)
      }
    }
    for (const [uid, { nodeName, missingSince = now }] of this.#settled) {
      if (running.has(uid)) continue
      if (now - missingSince > KNOWN_AFTER) this.#settled.delete(uid)
      else {
        this.#settled.set(uid, { nodeName, missingSince })
        if (isLeaving(nodeName)) want(uid)
      }
    }
  }

  /** Returns the number of pods that needed a node at this time or later. */
  wantedSince(since: number): number {
    return [...this.#lastWanted.values()].filter((at) => at >= since).length
  }

  /** Returns the number of pods that needed a node for the first time at this time or later. */
  firstWantedSince(since: number): number {
    return [...this.#firstWanted.values()].filter((at) => at >= since).length
  }

  /** Returns a function that reports whether a node is currently being disrupted or deleted. */
  #leaving(): (nodeName: string) => boolean {
    const leaving = new Set([
      ...this.#environment
        .nodes()
        .filter(
          ({ metadata, spec }) =>
            metadata.deletionTimestamp !== undefined ||
            spec.taints?.some(({ key }) => key === 'karpenter.sh/disrupted'),
        )
        .map(({ metadata }) => metadata.name),
      ...this.#environment
        .claims()
        .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
        .map(({ status }) => status?.nodeName),
    ])
    const all = [...this.#environment.nodes(), ...this.#environment.foreignNodes()]
    const present = new Set(all.map(({ metadata }) => metadata.name))
    return (nodeName) => leaving.has(nodeName) || !present.has(nodeName)
  }
}
