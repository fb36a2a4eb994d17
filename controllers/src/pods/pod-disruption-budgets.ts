import { isDeepStrictEqual } from 'node:util'
import { kinds, type Milliseconds, matchesLabelSelector, type Pod, type PodDisruptionBudget } from '@kerf/apis'
import type { Change, InformerFactory } from '@kerf/runtime'
import { ifReadable } from '../isolation/if-readable.ts'
import type { Isolation } from '../isolation/isolation.ts'
import { unreported } from '../isolation/unreported.ts'
import { isDisruptable, isEvictable, isReschedulable } from './pod-predicates.ts'

const SELECTION_INDEX = 'selection'

/** What pods must have to be selected, as far as an index can say: the namespace, and a label where one is demanded. */
const selectionOf = (budget: PodDisruptionBudget): readonly string[] => {
  try {
    return readSelection(budget)
  } catch {
    // It may cover any pod of its namespace, or of any namespace if not even that can be read.
    return [ifReadable(() => budget.metadata.namespace) ?? ANYWHERE]
  }
}

/** Where budgets are that may cover pods of every namespace. */
const ANYWHERE = ''

const readSelection = ({ metadata, spec }: PodDisruptionBudget): readonly string[] => {
  const { namespace = 'default' } = metadata
  const [label] = Object.entries(spec.selector?.matchLabels ?? {})
  return [label === undefined ? namespace : pairIn(namespace, ...label)]
}

const pairIn = (namespace: string, key: string, value: string): string => `${namespace}/${key}=${value}`

/** A budget that forbids every eviction for good, as its spec says. */
const isFullyBlocking = ({ spec }: PodDisruptionBudget): boolean =>
  spec.maxUnavailable === 0 || spec.maxUnavailable === '0%' || spec.minAvailable === '100%'

/** A budget that forbids every eviction at this moment. */
const isExhausted = (budget: PodDisruptionBudget | undefined): boolean =>
  (budget?.status?.disruptionsAllowed ?? 0) === 0

const hasOtherSpec = ({ before, after }: Change<PodDisruptionBudget>): boolean =>
  !isDeepStrictEqual(before?.spec, after?.spec)

const mayLeaveUnhealthy = (pod: Pod, budget: PodDisruptionBudget): boolean =>
  budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' &&
  (pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'False') ?? false)

/** PodDisruptionBudgets by the pods they cover (`docs/spec/lifecycle.md#poddisruptionbudgets`). */
export class PodDisruptionBudgets {
  readonly #selecting: (selection: string) => readonly PodDisruptionBudget[]
  readonly #isAny: () => boolean
  /** Rises when the answers may be others: a status that only counts other pods changes none. */
  version = 0
  /** Rises with the budgets' specs alone: what is blocked for good is the same while it does not. */
  specVersion = 0

  readonly #isolation: Pick<Isolation, 'guard'>

  /** `isolation`: where budgets that cannot be read are reported; nowhere unless given. */
  constructor(informers: InformerFactory, isolation: Pick<Isolation, 'guard'> = unreported) {
    this.#isolation = isolation
    const informer = informers.of(kinds.PodDisruptionBudget)
    informer.index(SELECTION_INDEX, selectionOf)
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
    // A budget that cannot be read may cover the pod.
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
   * The budgets that keep the pod from being evicted, none when it may be.
   *
   * - `now`: as it stands at this moment (no disruption left)
   * - `ever`: as long as the budget's spec stays as it is
   */
  blocking(pod: Pod, when: 'now' | 'ever', now: Milliseconds): readonly PodDisruptionBudget[] {
    if (!this.#isAny() || !isEvictable(pod, now)) return []
    const budgets = this.of(pod)
    const [budget] = budgets
    if (budget === undefined) return []
    // The eviction API refuses a pod that several budgets cover.
    if (budgets.length > 1) return budgets
    const isBlocked = (): boolean =>
      !mayLeaveUnhealthy(pod, budget) && (when === 'now' ? isExhausted(budget) : isFullyBlocking(budget))
    return this.#apart(budget, isBlocked) ? budgets : []
  }

  /** What is read of one budget. One that cannot be read blocks eviction rather than allowing it (`docs/spec/isolation.md`). */
  #apart(budget: PodDisruptionBudget, read: () => boolean): boolean {
    return this.#isolation.guard('PodDisruptionBudget', 'disruption', budget, read, true)
  }

  /** It has to be scheduled elsewhere when its node is deleted, and it may be evicted. */
  isCurrentlyReschedulable(pod: Pod, now: Milliseconds): boolean {
    return isReschedulable(pod) && isDisruptable(pod, now) && this.blocking(pod, 'ever', now).length === 0
  }
}
