import type { Milliseconds, Pod } from '@kerf/apis'
import type { PlannedClaim, Reason } from '@kerf/engine'
import { podKey } from '../pods/pod-predicates.ts'
import type { Decision, NamedPods } from './decision.ts'

/** A pod as decisions name it. */
export interface PodId {
  /** `namespace/name` */
  readonly key: string
  readonly uid: string
}

export const podId = (pod: Pod): PodId => ({ key: podKey(pod), uid: pod.metadata.uid ?? '' })

const KEPT = 2_000

const named = (pods: readonly PodId[]): NamedPods => ({
  pods: pods.map(({ key }) => key),
  uids: pods.map(({ uid }) => uid),
})

const nearestOf = ([nearest]: readonly Reason[]): string =>
  nearest === undefined ? '' : `${nearest.code} ${nearest.subject}`

/**
 * The latest decisions of the provisioner, for whoever asks why: the terminal view, `kerf explain`, tests. Decisions
 * about pods that are still refused for the same reasons are not repeated.
 */
export class DecisionLog {
  readonly #kept: Decision[] = []
  readonly #listeners = new Set<(decision: Decision) => void>()
  readonly #refused = new Map<string, Extract<Decision, { kind: 'refuse' }>>()

  get all(): readonly Decision[] {
    return this.#kept
  }

  /** The decision that made a claim, if it is still kept. */
  launchOf(nodeClaim: string): Decision | undefined {
    return this.#kept.findLast((decision) => decision.kind === 'launch' && decision.nodeClaim === nodeClaim)
  }

  /** Why a pod waits: the decision that still stands, or nothing when it was placed or never refused. */
  refusalOf(pod: string): Extract<Decision, { kind: 'refuse' }> | undefined {
    return this.#refused.get(pod)
  }

  /** Called for each new decision. Returns the way to stop. */
  onDecision(listener: (decision: Decision) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  launched(at: Milliseconds, nodeClaim: string, planned: PlannedClaim, pods: readonly PodId[]): void {
    for (const { key } of pods) this.#refused.delete(key)
    this.#add({
      kind: 'launch',
      at,
      nodeClaim,
      nodePool: planned.nodePool,
      cheapest: planned.cheapest,
      instanceTypes: planned.instanceTypes.length,
      ...named(pods),
      reasons: planned.reasons,
    })
  }

  placed(at: Milliseconds, node: string, pods: readonly PodId[]): void {
    for (const { key } of pods) this.#refused.delete(key)
    this.#add({ kind: 'place', at, node, ...named(pods) })
  }

  /** Answers whether this is news: the pod was not refused before, or for other reasons. */
  refused(
    at: Milliseconds,
    { key: pod, uid }: PodId,
    reasons: readonly Reason[],
    remedies?: readonly string[],
  ): boolean {
    const decision = { kind: 'refuse', at, pod, uid, reasons, ...(remedies === undefined ? {} : { remedies }) } as const
    const isNews = this.#isNews(pod, reasons)
    this.#refused.set(pod, decision)
    if (!isNews) return false
    this.#add(decision)
    return true
  }

  /** What was found out earlier about a pod that is refused for the same reasons. */
  remediesOf(pod: string, reasons: readonly Reason[]): readonly string[] | undefined {
    return this.#isNews(pod, reasons) ? undefined : this.#refused.get(pod)?.remedies
  }

  #isNews(pod: string, reasons: readonly Reason[]): boolean {
    const before = this.#refused.get(pod)
    return before === undefined || nearestOf(before.reasons) !== nearestOf(reasons)
  }

  /** The pod is gone. */
  forget(pod: string): void {
    this.#refused.delete(pod)
  }

  #add(decision: Decision): void {
    this.#kept.push(decision)
    if (this.#kept.length > KEPT) this.#kept.splice(0, this.#kept.length - KEPT)
    for (const listener of this.#listeners) listener(decision)
  }
}
