import { findCondition, type Milliseconds, type Pod, parseTime } from '@kerf/apis'

/** The resolution of times in pods. */
const SECOND: Milliseconds = 1_000
/** If a pod is older than this and untried, the queue is long. kube-scheduler normally tries a new pod within milliseconds. */
const BEHIND_AFTER: Milliseconds = 2_000
/** If kube-scheduler has tried no pod for this long, it is not working on a queue. */
const MOVES_WITHIN: Milliseconds = 10_000

/** How far a scheduler has come among the pods of one priority. */
interface Front {
  /** The creation time of the newest pod that was tried. */
  readonly createdAt: Milliseconds
  /** When that pod was tried. */
  readonly answeredAt: Milliseconds
}

export const podScheduler = (pod: Pod): string => pod.spec.schedulerName ?? 'default-scheduler'
const podPriority = (pod: Pod): number => pod.spec.priority ?? 0

/**
 * Estimates how far kube-scheduler has come in its queue, from the pods that it has tried. It tries pods of higher priority first, and
 * among equal priorities the oldest (the default QueueSort plugin). If an untried pod is older than a tried pod, it is not in the queue:
 * something else delays it.
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
   * Yields the untried pods that are in a long queue. Yields none if kube-scheduler tries each pod at once. Reads pods only as the caller
   * asks for them. For each scheduler, withholds young pods until it finds an old one.
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

  /** Returns whether kube-scheduler has tried no younger pod of the same or a lower priority. */
  #isAhead(pod: Pod): boolean {
    for (const [priority, { createdAt }] of this.#fronts.get(podScheduler(pod)) ?? []) {
      if (priority <= podPriority(pod) && isOlder(pod, createdAt - SECOND - 1)) return false
    }
    return true
  }
}

const isMoving = (fronts: ReadonlyMap<number, Front>, now: Milliseconds): boolean =>
  [...fronts.values()].some(({ answeredAt }) => now - answeredAt <= MOVES_WITHIN)

/** Returns whether the pod was created at or before that time. */
const isOlder = (pod: Pod, time: Milliseconds): boolean => {
  const createdAt = parseTime(pod.metadata.creationTimestamp)
  return createdAt !== undefined && createdAt <= time
}
