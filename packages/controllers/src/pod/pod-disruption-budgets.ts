import { isDeepStrictEqual } from 'node:util'
import { kinds, type Milliseconds, matchesLabelSelector, type Pod, type PodDisruptionBudget } from '@kerf/apis'
import type { Change, InformerFactory } from '@kerf/runtime'
import { ifReadable } from '../state/isolation/if-readable.ts'
import type { Isolation } from '../state/isolation/isolation.ts'
import { unreported } from '../state/isolation/unreported.ts'
import { isDisruptable, isEvictable, isReschedulable } from './pod-predicates.ts'

const SELECTION_INDEX = 'selection'

/** Returns the index keys of a budget. Each key contains the namespace of the budget and, if its selector requires a label, that label. */
const budgetSelection = (budget: PodDisruptionBudget): readonly string[] => {
  try {
    return readSelection(budget)
  } catch {
    // A budget that cannot be read may select any pod of its namespace. If its namespace cannot be read either, it may select any pod.
    return [ifReadable(() => budget.metadata.namespace) ?? ANYWHERE]
  }
}

/** The index key of budgets that may select pods in every namespace. */
const ANYWHERE = ''

const readSelection = ({ metadata, spec }: PodDisruptionBudget): readonly string[] => {
  const { namespace = 'default' } = metadata
  const [label] = Object.entries(spec.selector?.matchLabels ?? {})
  return [label === undefined ? namespace : pairIn(namespace, ...label)]
}

const pairIn = (namespace: string, key: string, value: string): string => `${namespace}/${key}=${value}`

/** Returns whether the budget's spec always forbids every eviction. */
const isFullyBlocking = ({ spec }: PodDisruptionBudget): boolean =>
  spec.maxUnavailable === 0 || spec.maxUnavailable === '0%' || spec.minAvailable === '100%'

/** Returns whether the budget currently forbids every eviction. */
const isExhausted = (budget: PodDisruptionBudget | undefined): boolean =>
  (budget?.status?.disruptionsAllowed ?? 0) === 0

const hasOtherSpec = ({ before, after }: Change<PodDisruptionBudget>): boolean =>
  !isDeepStrictEqual(before?.spec, after?.spec)

const mayLeaveUnhealthy = (pod: Pod, budget: PodDisruptionBudget): boolean =>
  budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' &&
  (pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'False') ?? false)

/** Finds the PodDisruptionBudgets that select a pod (`docs/spec/lifecycle.md#poddisruptionbudgets`). */
export class PodDisruptionBudgets {
  readonly #selecting: (selection: string) => readonly PodDisruptionBudget[]
  readonly #isAny: () => boolean
  /**
   * A version that increases when results may change. If only the status changes and evictions remain allowed or remain forbidden, it does
   * not increase.
   */
  version = 0
  /** A version that increases only when specs change. As long as it is the same, the same pods are permanently blocked. */
  specVersion = 0

  readonly #isolation: Pick<Isolation, 'guard'>

  /** `isolation` reports budgets that cannot be read. If it is absent, nothing is reported. */
  constructor(informers: InformerFactory, isolation: Pick<Isolation, 'guard'> = unreported) {
    this.#isolation = isolation
    const informer = informers.of(kinds.PodDisruptionBudget)
    informer.index(SELECTION_INDEX, budgetSelection)
    informer.onChange((change) => {
      const { before, after } = change
      const budget = after ?? before
      if (budget === undefined) return
      const isOther = this.#apart(budget, () => hasOtherSpec(change))
      if (isOther) this.specVersion++
      if (isOther || this.#apart(budget, () => isExhausted(before) !== isExhausted(after))) this.version++
    })
    this.#isAny = () => informer.size > 0
    this.#selecting = (selection) => informer.by(SELECTION_INDEX, selection)
  }

  of(pod: Pod): readonly PodDisruptionBudget[] {
    const { namespace = 'default', labels = {} } = pod.metadata
    const found: PodDisruptionBudget[] = []
    // A budget that cannot be read counts as selecting the pod.
    const covers = (budget: PodDisruptionBudget): boolean =>
      this.#apart(budget, () => matchesLabelSelector(budget.spec.selector, labels))
    const look = (selection: string): void => {
      for (const budget of this.#selecting(selection)) if (covers(budget)) found.push(budget)
    }
    look(ANYWHERE)
    look(namespace)
    for (const key in labels) look(pairIn(namespace, key, labels[key] ?? ''))
    return found
  }

  /**
   * Returns the budgets that block the eviction of the pod, or none if the pod may be evicted.
   * - `now`: the budget currently allows no disruptions
   * - `ever`: the budget blocks the eviction until its spec changes
   */
  blocking(pod: Pod, when: 'now' | 'ever', now: Milliseconds): readonly PodDisruptionBudget[] {
    if (!this.#isAny() || !isEvictable(pod, now)) return []
    const budgets = this.of(pod)
    const [budget] = budgets
    if (budget === undefined) return []
    // The eviction API refuses to evict a pod that several budgets select.
    if (budgets.length > 1) return budgets
    const isBlocked = (): boolean =>
      !mayLeaveUnhealthy(pod, budget) && (when === 'now' ? isExhausted(budget) : isFullyBlocking(budget))
    return this.#apart(budget, isBlocked) ? budgets : []
  }

  /** Reads one budget. A budget that cannot be read blocks evictions (`docs/spec/isolation.md`). */
  #apart(budget: PodDisruptionBudget, read: () => boolean): boolean {
    return this.#isolation.guard('PodDisruptionBudget', 'disruption', budget, read, true)
  }

  /** Returns whether the pod may be evicted now and needs another node when its node is deleted. */
  isCurrentlyReschedulable(pod: Pod, now: Milliseconds): boolean {
    return isReschedulable(pod) && isDisruptable(pod, now) && this.blocking(pod, 'ever', now).length === 0
  }
}
