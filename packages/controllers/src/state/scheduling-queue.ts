import { findCondition, type Milliseconds, type Pod, parseTime } from '@kerf/apis'

/** The resolution of timestamps in pods. */
const SECOND: Milliseconds = 1_000
/** The age of an untried pod from which the queue counts as long. kube-scheduler normally tries a new pod within milliseconds. */
const BEHIND_AFTER: Milliseconds = 2_000
/** If kube-scheduler has not tried any pod for this long, it is not working through a queue. */
const MOVES_WITHIN: Milliseconds = 10_000

/** The progress of a scheduler among the pods of one priority. */
interface Front {
  /** The creation time of the newest pod that the scheduler has tried. */
  readonly createdAt: Milliseconds
  /** When that pod was tried. */
  readonly answeredAt: Milliseconds
}

export const podScheduler = (pod: Pod): string => pod.spec.schedulerName ?? 'default-scheduler'
const podPriority = (pod: Pod): number => pod.spec.priority ?? 0

/**
 * Estimates the progress of kube-scheduler in its queue from the pods that it has tried. It tries pods of higher priority first and, among
 * pods of equal priority, the oldest first (the default QueueSort plugin). An untried pod that is older than a tried pod is therefore not
 * in the queue: something else delays it.
 */
export class SchedulingQueue {
  readonly #fronts = new Map<string, Map<number, Front>>()

  put(pod: Pod): void {
    const answer = findCondition(pod, 'PodScheduled')
    const createdAt = parseTime(pod.metadata.creationTimestamp)
    if (answer === undefined || createdAt === undefined) return
    const answeredAt = parseTime(answer.lastTransitionTime)
    if (answeredAt === undefined || answer.reason === 'SchedulingGated') return
    let fronts = this.#fronts.get(podScheduler(pod))
    if (fronts === undefined) {
      fronts = new Map()
      this.#fronts.set(podScheduler(pod), fronts)
    }
    const known = fronts.get(podPriority(pod))
    if (known !== undefined && known.createdAt > createdAt) return
    fronts.set(podPriority(pod), { createdAt, answeredAt: Math.max(answeredAt, known?.answeredAt ?? 0) })
  }

  /**
   * Yields the untried pods that wait in a long queue. Yields none if kube-scheduler tries each pod at once. Reads pods lazily. For each
   * scheduler, yields young pods only after it has found an old one.
   */
  *waitingIn(untried: Iterable<Pod>, now: Milliseconds): Iterable<Pod> {
    const moving = new Set([...this.#fronts].filter(([, fronts]) => isMoving(fronts, now)).map(([name]) => name))
    if (moving.size === 0) return
    const behind = new Set<string>()
    const young = new Map<string, Pod[]>()
    for (const pod of untried) {
      const scheduler = podScheduler(pod)
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

  /** Returns whether kube-scheduler has not tried any younger pod of the same or a lower priority. */
  #isAhead(pod: Pod): boolean {
    for (const [priority, { createdAt }] of this.#fronts.get(podScheduler(pod)) ?? []) {
      if (priority <= podPriority(pod) && isOlder(pod, createdAt - SECOND - 1)) return false
    }
    return true
  }
}

const isMoving = (fronts: ReadonlyMap<number, Front>, now: Milliseconds): boolean =>
  [...fronts.values()].some(({ answeredAt }) => now - answeredAt <= MOVES_WITHIN)

/** Returns whether the pod was created at or before `time`. */
const isOlder = (pod: Pod, time: Milliseconds): boolean => {
  const createdAt = parseTime(pod.metadata.creationTimestamp)
  return createdAt !== undefined && createdAt <= time
}
