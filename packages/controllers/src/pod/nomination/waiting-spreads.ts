import { isScheduled, isTerminal, type LabelSelector, matchesLabelSelector, type Pod } from '@kerf/apis'
import type { Isolation } from '../../state/isolation/isolation.ts'
import { unreported } from '../../state/isolation/unreported.ts'

interface Spread {
  readonly namespace: string
  readonly selector: LabelSelector
  readonly maxSkew: number
  /** The number of waiting pods that have this constraint. */
  pods: number
}

/**
 * Tracks the hard spread constraints of waiting pods, and limits nominations accordingly. When kube-scheduler evaluates a node, it treats
 * the pods that are nominated for this node as if they ran there, but ignores pods that are nominated for other nodes. If a node has more
 * than `maxSkew` nominated pods of a spread group, its zone seems to have too many pods. kube-scheduler then refuses each of these pods
 * there, and none of them is ever bound. With at most `maxSkew` nominated pods, the zone with the fewest pods can always get its next pods.
 */
export class WaitingSpreads {
  readonly #spreads = new Map<string, Spread>()
  readonly #isolation: Pick<Isolation, 'guard'>

  /** `isolation` reports pods that cannot be read. Such pods are ignored. */
  constructor(isolation: Pick<Isolation, 'guard'> = unreported) {
    this.#isolation = isolation
  }

  /** Updates the constraints after a change of a pod. */
  change(before: Pod | undefined, after: Pod | undefined): void {
    if (before !== undefined) this.#count(before, -1)
    if (after !== undefined) this.#count(after, 1)
  }

  /**
   * Returns whether the pod may be nominated for a node. `others` returns the pods that are nominated for the node and not bound yet. It is
   * called only if one of the tracked constraints selects the pod.
   */
  allows(pod: Pod, others: () => readonly Pod[]): boolean {
    let found: readonly Pod[] | undefined
    for (const spread of this.#spreads.values()) {
      if (!this.#isCounted(spread, pod)) continue
      found ??= others()
      let counted = 0
      for (const other of found) if (this.#isCounted(spread, other)) counted++
      if (counted >= spread.maxSkew) return false
    }
    return true
  }

  #isCounted(spread: Spread, pod: Pod): boolean {
    return this.#isolation.guard('Pod', 'nomination', pod, () => isCounted(spread, pod), false)
  }

  #count(pod: Pod, by: 1 | -1): void {
    for (const [key, read] of this.#isolation.guard('Pod', 'nomination', pod, () => readSpreads(pod), [])) {
      const spread = this.#spreads.get(key) ?? read
      spread.pods += by
      if (spread.pods <= 0) this.#spreads.delete(key)
      else this.#spreads.set(key, spread)
    }
  }
}

const isCounted = ({ namespace, selector }: Spread, { metadata }: Pod): boolean =>
  namespace === (metadata.namespace ?? 'default') && matchesLabelSelector(selector, metadata.labels ?? {})

/**
 * Returns all hard spread constraints of a pod. Reads everything that may throw before it returns, so a pod that cannot be read counts for
 * none of its constraints.
 */
const readSpreads = (pod: Pod): readonly (readonly [string, Spread])[] => {
  if (isScheduled(pod) || isTerminal(pod)) return []
  const namespace = pod.metadata.namespace ?? 'default'
  return (pod.spec.topologySpreadConstraints ?? []).flatMap(({ whenUnsatisfiable, labelSelector, maxSkew }) => {
    if (whenUnsatisfiable !== 'DoNotSchedule' || labelSelector === undefined) return []
    const key = `${namespace} ${maxSkew} ${JSON.stringify(labelSelector)}`
    matchesLabelSelector(labelSelector, {})
    return [[key, { namespace, selector: labelSelector, maxSkew, pods: 0 }] as const]
  })
}
