import { type LabelSelector, matchesLabelSelector, type Pod } from '@kerf/apis'
import { isScheduled, isTerminal } from '../state/pod-predicates.ts'

interface Spread {
  readonly namespace: string
  readonly selector: LabelSelector
  pods: number
}

/**
 * The hard spread constraints of pods that wait. kube-scheduler counts the pods nominated for a node as if they ran there,
 * but for that node only: with several nominated pods of a spread group every zone looks too full against the empty
 * others, and none is ever bound. So what such a constraint counts must not be nominated.
 */
export class WaitingSpreads {
  readonly #spreads = new Map<string, Spread>()

  /** Follows a change of a pod. */
  change(before: Pod | undefined, after: Pod | undefined): void {
    if (before !== undefined) this.#count(before, -1)
    if (after !== undefined) this.#count(after, 1)
  }

  /** Whether a waiting pod's hard spread constraint counts this pod. */
  counts(pod: Pod): boolean {
    if (this.#spreads.size === 0) return false
    const { namespace = 'default', labels = {} } = pod.metadata
    return this.#spreads
      .values()
      .some((spread) => spread.namespace === namespace && matchesLabelSelector(spread.selector, labels))
  }

  #count(pod: Pod, by: 1 | -1): void {
    if (isScheduled(pod) || isTerminal(pod)) return
    for (const { whenUnsatisfiable, labelSelector } of pod.spec.topologySpreadConstraints ?? []) {
      if (whenUnsatisfiable !== 'DoNotSchedule' || labelSelector === undefined) continue
      const namespace = pod.metadata.namespace ?? 'default'
      const key = `${namespace} ${JSON.stringify(labelSelector)}`
      const spread = this.#spreads.get(key) ?? { namespace, selector: labelSelector, pods: 0 }
      spread.pods += by
      if (spread.pods <= 0) this.#spreads.delete(key)
      else this.#spreads.set(key, spread)
    }
  }
}
