import { isScheduled, type Milliseconds, type Pod } from '@kerf/apis'
import { DURATION_BUCKETS } from '@kerf/provider-contract'
import { defineMetrics } from '@kerf/runtime'
import { podKey } from '../pod/pod-predicates.ts'

export const podDecisionMetrics = defineMetrics({
  decided: {
    name: 'karpenter_pods_scheduling_decision_duration_seconds',
    type: 'histogram',
    help: 'Time from the first sight of a pending pod to the first decision about it.',
    buckets: DURATION_BUCKETS,
  },
})

interface Timing {
  acknowledged?: Milliseconds
  decided?: Milliseconds
  schedulable?: Milliseconds
  healthySchedulable?: Milliseconds
}

/** Called once per pod, at the first decision about it, with the time that has passed since Kerf first saw the pod. */
export type DecisionObserver = (span: Milliseconds) => void

/**
 * Records when pods were first seen, first decided on, and first found schedulable, for the metrics of pod latency
 * (`docs/spec/pending-pods.md#what-a-pass-records`). The times of a pod are removed when it is deleted.
 */
export class PodTimings {
  readonly #byPod = new Map<string, Timing>()
  readonly #onDecision: DecisionObserver

  constructor(onDecision: DecisionObserver) {
    this.#onDecision = onDecision
  }

  /** Records that the provisioner's trigger has seen the pod. Only the first call has an effect. */
  acknowledge(pod: Pod, now: Milliseconds): void {
    this.#of(pod).acknowledged ??= now
  }

  /** Records that Kerf found no node for the pod or ignores it. */
  markUnschedulable(pod: Pod, now: Milliseconds): void {
    const timing = this.#of(pod)
    delete timing.schedulable
    delete timing.healthySchedulable
    this.#decide(timing, now)
  }

  /** Records that Kerf found a node for the pod. `healthy` is true if nodes of that node's NodePool usually register. */
  markSchedulable(pod: Pod, now: Milliseconds, healthy: boolean): void {
    if (isScheduled(pod)) return
    const timing = this.#of(pod)
    timing.schedulable ??= now
    if (healthy) timing.healthySchedulable ??= now
    else delete timing.healthySchedulable
    this.#decide(timing, now)
  }

  acknowledgedAt(pod: Pod): Milliseconds | undefined {
    return this.#byPod.get(podKey(pod))?.acknowledged
  }

  decidedAt(pod: Pod): Milliseconds | undefined {
    return this.#byPod.get(podKey(pod))?.decided
  }

  schedulableAt(pod: Pod): Milliseconds | undefined {
    return this.#byPod.get(podKey(pod))?.schedulable
  }

  healthySchedulableAt(pod: Pod): Milliseconds | undefined {
    return this.#byPod.get(podKey(pod))?.healthySchedulable
  }

  forget(pod: Pod): void {
    this.#byPod.delete(podKey(pod))
  }

  get size(): number {
    return this.#byPod.size
  }

  #of(pod: Pod): Timing {
    const key = podKey(pod)
    let timing = this.#byPod.get(key)
    if (timing === undefined) {
      timing = {}
      this.#byPod.set(key, timing)
    }
    return timing
  }

  #decide(timing: Timing, now: Milliseconds): void {
    if (timing.decided !== undefined) return
    timing.decided = now
    if (timing.acknowledged !== undefined) this.#onDecision(now - timing.acknowledged)
  }
}
