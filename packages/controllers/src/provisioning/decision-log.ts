import type { Milliseconds, Pod } from '@kerf/apis'
import type { PlannedClaim, Reason } from '@kerf/engine'
import { podKey } from '../pod/pod-predicates.ts'
import type { Decision, NamedPods } from './decision.ts'

/** The identity of a pod in decisions. */
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

const nearestReason = ([nearest]: readonly Reason[]): string =>
  nearest === undefined ? '' : `${nearest.code} ${nearest.subject}`

/**
 * Stores the latest decisions of the provisioner for the terminal view, `kerf explain` and tests. A repeated refusal of a pod for the same
 * reasons is not recorded.
 */
export class DecisionLog {
  readonly #kept: Decision[] = []
  readonly #listeners = new Set<(decision: Decision) => void>()
  readonly #refused = new Map<string, Extract<Decision, { kind: 'refuse' }>>()

  get all(): readonly Decision[] {
    return this.#kept
  }

  /** Returns the decision that launched a claim, if it is still in the log. */
  launchOf(nodeClaim: string): Decision | undefined {
    return this.#kept.findLast((decision) => decision.kind === 'launch' && decision.nodeClaim === nodeClaim)
  }

  /** Returns the latest refusal of a pod. Undefined if the pod was never refused or has been placed since. */
  refusalOf(pod: string): Extract<Decision, { kind: 'refuse' }> | undefined {
    return this.#refused.get(pod)
  }

  /** Calls `listener` for each new decision. Returns a function that unsubscribes it. */
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

  /** Records a refusal. Returns true if the pod was not refused before, or was refused for other reasons. */
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

  /** Returns the remedies that were found for the pod earlier, or undefined if the pod was not refused for the same reasons before. */
  remediesOf(pod: string, reasons: readonly Reason[]): readonly string[] | undefined {
    return this.#isNews(pod, reasons) ? undefined : this.#refused.get(pod)?.remedies
  }

  #isNews(pod: string, reasons: readonly Reason[]): boolean {
    const before = this.#refused.get(pod)
    return before === undefined || nearestReason(before.reasons) !== nearestReason(reasons)
  }

  /** Removes the refusal of a pod that was deleted. */
  forget(pod: string): void {
    this.#refused.delete(pod)
  }

  #add(decision: Decision): void {
    this.#kept.push(decision)
    if (this.#kept.length > KEPT) this.#kept.splice(0, this.#kept.length - KEPT)
    for (const listener of this.#listeners) listener(decision)
  }
}
