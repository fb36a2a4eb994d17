import { findCondition, type Milliseconds, type Pod, timeOf } from '@kerf/apis'

/** Times of pods are in whole seconds. */
const SECOND: Milliseconds = 1_000
/** kube-scheduler answers for a new pod within milliseconds. When one is this old and has no answer, the queue is long. */
const BEHIND_AFTER: Milliseconds = 2_000
/** Without an answer for this long, kube-scheduler is not working off a queue. */
const MOVES_WITHIN: Milliseconds = 10_000

/** How far a scheduler has come among the pods of one priority. */
interface Front {
  /** When the newest pod that it has answered for was created. */
  readonly createdAt: Milliseconds
  /** When it gave that answer. */
  readonly answeredAt: Milliseconds
}

export const schedulerOf = (pod: Pod): string => pod.spec.schedulerName ?? 'default-scheduler'
const priorityOf = (pod: Pod): number => pod.spec.priority ?? 0

/**
 * How far kube-scheduler has come in its queue, told by the pods that it has answered for: it takes pods of higher priority
 * first, and among equals those that were created first (the default QueueSort plugin). A pod without an answer that was
 * created before one with an answer does not wait for its turn: something else keeps it out of the queue.
 */
export class SchedulingQueue {
  readonly #fronts = new Map<string, Map<number, Front>>()

  put(pod: Pod): void {
    const answer = findCondition(pod, 'PodScheduled')
    const createdAt = timeOf(pod.metadata.creationTimestamp)
    if (answer === undefined || createdAt === undefined) return
    const answeredAt = timeOf(answer.lastTransitionTime)
    if (answeredAt === undefined || answer.reason === 'SchedulingGated') return
    let fronts = this.#fronts.get(schedulerOf(pod))
    if (fronts === undefined) {
      fronts = new Map()
      this.#fronts.set(schedulerOf(pod), fronts)
    }
    const known = fronts.get(priorityOf(pod))
    if (known !== undefined && known.createdAt > createdAt) return
    fronts.set(priorityOf(pod), { createdAt, answeredAt: Math.max(answeredAt, known?.answeredAt ?? 0) })
  }

  /**
   * Of pods without an answer, those that wait for their turn behind others; none while kube-scheduler answers at once. No more
   * pods are looked at than the caller asks for, apart from those before the first one of a scheduler that has waited for long.
   */
  *waitingIn(untried: Iterable<Pod>, now: Milliseconds): Iterable<Pod> {
    const moving = new Set([...this.#fronts].filter(([, fronts]) => isMoving(fronts, now)).map(([name]) => name))
    if (moving.size === 0) return
    const behind = new Set<string>()
    const young = new Map<string, Pod[]>()
    for (const pod of untried) {
      const scheduler = schedulerOf(pod)
      if (!moving.has(scheduler) || !this.#isAhead(pod)) continue
      if (!behind.has(scheduler)) {
        const before = young.get(scheduler) ?? []
        if (!isOlder(pod, now - BEHIND_AFTER)) {
          before.push(pod)
          young.set(scheduler, before)
          continue
        }
        behind.add(scheduler)
        yield* before
      }
      yield pod
    }
  }

  /** Nobody of its priority or a lower one that was created after it has an answer. */
  #isAhead(pod: Pod): boolean {
    for (const [priority, { createdAt }] of this.#fronts.get(schedulerOf(pod)) ?? []) {
      if (priority <= priorityOf(pod) && isOlder(pod, createdAt - SECOND - 1)) return false
    }
    return true
  }
}

const isMoving = (fronts: ReadonlyMap<number, Front>, now: Milliseconds): boolean =>
  [...fronts.values()].some(({ answeredAt }) => now - answeredAt <= MOVES_WITHIN)

/** Created at that time or before. */
const isOlder = (pod: Pod, time: Milliseconds): boolean => {
  const createdAt = timeOf(pod.metadata.creationTimestamp)
  return createdAt !== undefined && createdAt <= time
}
