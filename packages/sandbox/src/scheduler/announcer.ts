import { kinds, type Milliseconds, type Pod, timestamp } from '@kerf/apis'
import { isNotFound, keyOf } from '@kerf/runtime'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { withCondition } from '../objects/conditions.ts'
import { namespacedRefOf } from '../objects/object-key.ts'
import { podCondition } from '../objects/pod-state.ts'
import type { ClassQueue, PendingPod } from './pending-queue.ts'

/** How long after a report a pod gets a changed reason: short if few pods wait, long if many do. */
const REFRESH_FEW: Milliseconds = 10_000
const REFRESH_MANY: Milliseconds = 5 * 60_000
const FEW = 100
/** The state of the cluster during a failed attempt: the message for a class, and a number that changes with the state. */
export interface Situation {
  readonly message: (queue: ClassQueue) => string
  readonly state: number
}

/** Reports why pods are unschedulable: as a condition of the pod and as an event. */
export class Announcer {
  readonly #context: ClusterContext

  constructor(context: ClusterContext) {
    this.#context = context
  }

  /** Writes to each pod of the failed classes why it is unschedulable. Returns when to write changed reasons. */
  async announce(
    failed: Iterable<ClassQueue>,
    about: Situation,
    signal: AbortSignal,
  ): Promise<Milliseconds | undefined> {
    const now = this.#context.clock.now()
    const { state } = about
    let next: Milliseconds | undefined
    for (const queue of failed) {
      const refresh = queue.pods.size <= FEW ? REFRESH_FEW : REFRESH_MANY
      const { reported } = queue
      // All pods of the class have been reported and it is too early to report the change, so no pod needs a visit.
      if (reported !== undefined && reported.state < state && now < reported.since + refresh) {
        next = Math.min(next ?? Number.POSITIVE_INFINITY, reported.since + refresh - now)
        continue
      }
      const wait = ({ announced }: PendingPod): Milliseconds => {
        if (announced === undefined) return 0
        return announced.state === state ? Number.POSITIVE_INFINITY : Math.max(0, announced.at + refresh - now)
      }
      const due = [...queue.pods.values()].filter((pending) => wait(pending) === 0)
      const message = due.length === 0 ? '' : about.message(queue)
      for (const pending of due) {
        if (signal.aborted) return undefined
        await this.#announceTo(pending, { message, state, at: now })
      }
      let since = Number.POSITIVE_INFINITY
      for (const pending of queue.pods.values()) {
        next = Math.min(next ?? Number.POSITIVE_INFINITY, wait(pending))
        since = Math.min(since, pending.announced?.at ?? Number.NEGATIVE_INFINITY)
      }
      queue.reported = Number.isFinite(since) ? { since, state } : undefined
    }
    return next === undefined || !Number.isFinite(next) ? undefined : Math.max(1, next)
  }

  async #announceTo(pending: PendingPod, announcement: NonNullable<PendingPod['announced']>): Promise<void> {
    const { message, at } = announcement
    const repeated = pending.announced?.message === message
    pending.announced = announcement
    if (repeated) return
    const present = podCondition(pending.pod, 'PodScheduled')
    this.say(pending.pod, 'Warning', 'FailedScheduling', message)
    if (present?.reason === 'Unschedulable' && present.message === message) return
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastProbeTime: null,
      lastTransitionTime: timestamp(at),
    } as const
    const conditions = withCondition(present === undefined ? [] : [present], condition)
    const body = { metadata: { uid: pending.uid }, status: { conditions } }
    try {
      await this.#context.client.patch(
        kinds.Pod,
        namespacedRefOf(keyOf(pending.pod)),
        { type: 'strategic', body },
        { subresource: 'status' },
      )
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  /** Publishes an event about a pod. Drops some if there are many at once. */
  say(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const rateLimit = { bucket: `scheduler.${reason}`, qps: 20, burst: 500 }
    this.#context.events.publish({ object: pod, type, reason, message, rateLimit })
  }
}
