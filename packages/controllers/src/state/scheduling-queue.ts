import { findCondition, type Milliseconds, type Pod, timeOf } from '@kerf/apis'

/** Times of pods have a resolution of one second. */
const SECOND: Milliseconds = 1_000
/**
 * kube-scheduler normally answers for a new pod within milliseconds. If a pod is older than this without an answer, the queue
 * is long.
 */
const BEHIND_AFTER: Milliseconds = 2_000
/** If there was no answer for this long, kube-scheduler is not processing a queue. */
const MOVES_WITHIN: Milliseconds = 10_000

/** The progress of a scheduler among the pods of one priority. */
interface Front {
  /** The creation time of the newest pod with an answer. */
  readonly createdAt: Milliseconds
  /** The time of that answer. */
  readonly answeredAt: Milliseconds
}

export const schedulerOf = (pod: Pod): string => pod.spec.schedulerName ?? 'default-scheduler'
const priorityOf = (pod: Pod): number => pod.spec.priority ?? 0

/**
 * Estimates the progress of kube-scheduler in its queue from the pods with an answer. kube-scheduler takes pods of higher
 * priority first, and among equals the oldest first (the default QueueSort plugin). If a pod without an answer is older than
 * a pod with an answer, something else keeps it out of the queue.
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
   * Yields the pods without an answer that wait in the queue behind others. Yields none while kube-scheduler answers at once.
   * It reads only as many pods as the caller consumes, plus the pods before the first long-waiting pod of each scheduler.
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

  /** Returns whether no younger pod of its priority or a lower one has an answer. */
  #isAhead(pod: Pod): boolean {
    for (const [priority, { createdAt }] of this.#fronts.get(schedulerOf(pod)) ?? []) {
      if (priority <= priorityOf(pod) && isOlder(pod, createdAt - SECOND - 1)) return false
    }
    return true
  }
}

const isMoving = (fronts: ReadonlyMap<number, Front>, now: Milliseconds): boolean =>
  [...fronts.values()].some(({ answeredAt }) => now - answeredAt <= MOVES_WITHIN)

/** Returns whether the pod was created at that time or before. */
const isOlder = (pod: Pod, time: Milliseconds): boolean => {
  const createdAt = timeOf(pod.metadata.creationTimestamp)
  return createdAt !== undefined && createdAt <= time
}
