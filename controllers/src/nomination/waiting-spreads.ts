import { isScheduled, isTerminal, type LabelSelector, matchesLabelSelector, type Pod } from '@kerf/apis'
import type { Isolation } from '../isolation/isolation.ts'
import { unreported } from '../isolation/unreported.ts'

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
  readonly #isolation: Pick<Isolation, 'guard'>

  /** `isolation`: where pods that cannot be read are reported; they count for nothing here. */
  constructor(isolation: Pick<Isolation, 'guard'> = unreported) {
    this.#isolation = isolation
  }

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

/** The pod's hard spread constraints, all of them or none; whatever can throw has been read then. */
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
