import { isScheduled, isTerminal, type LabelSelector, matchesLabelSelector, type Pod } from '@kerf/apis'

interface Spread {
  readonly namespace: string
  readonly selector: LabelSelector
  readonly maxSkew: number
  /** How many waiting pods have it. */
  pods: number
}

/**
 * The hard spread constraints of pods that wait. kube-scheduler counts the pods nominated for a node as if they ran there,
 * but for that node only: with more than `maxSkew` nominated pods of a spread group on a node, its zone looks too full
 * against the empty others, and none of them is ever bound. With no more than that there is always one that can be: the
 * zone with the fewest pods takes its next ones.
 */
export class WaitingSpreads {
  readonly #spreads = new Map<string, Spread>()

  /** Follows a change of a pod. */
  change(before: Pod | undefined, after: Pod | undefined): void {
    if (before !== undefined) this.#count(before, -1)
    if (after !== undefined) this.#count(after, 1)
  }

  /**
   * Whether a pod may be nominated for a node that `others` are nominated for and have not come to yet. They are asked for
   * only where a constraint selects the pod.
   */
  allows(pod: Pod, others: () => readonly Pod[]): boolean {
    let found: readonly Pod[] | undefined
    for (const spread of this.#spreads.values()) {
      if (!isCounted(spread, pod)) continue
      found ??= others()
      let counted = 0
      for (const other of found) if (isCounted(spread, other)) counted++
      if (counted >= spread.maxSkew) return false
    }
    return true
  }

  #count(pod: Pod, by: 1 | -1): void {
    if (isScheduled(pod) || isTerminal(pod)) return
    for (const { whenUnsatisfiable, labelSelector, maxSkew } of pod.spec.topologySpreadConstraints ?? []) {
      if (whenUnsatisfiable !== 'DoNotSchedule' || labelSelector === undefined) continue
      const namespace = pod.metadata.namespace ?? 'default'
      const key = `${namespace} ${maxSkew} ${JSON.stringify(labelSelector)}`
      const spread = this.#spreads.get(key) ?? { namespace, selector: labelSelector, maxSkew, pods: 0 }
      spread.pods += by
      if (spread.pods <= 0) this.#spreads.delete(key)
      else this.#spreads.set(key, spread)
    }
  }
}

const isCounted = ({ namespace, selector }: Spread, { metadata }: Pod): boolean =>
  namespace === (metadata.namespace ?? 'default') && matchesLabelSelector(selector, metadata.labels ?? {})
