import { formatTime, kinds, type Milliseconds, type Pod } from '@kerf/apis'
import { informerKey, isNotFound } from '@kerf/runtime'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { withCondition } from '../objects/conditions.ts'
import { namespacedRef } from '../objects/object-key.ts'
import { podCondition } from '../objects/pod-state.ts'
import type { ClassQueue, PendingPod } from './pending-queue.ts'

/** How long after a report the scheduler may report a changed reason for the same pod, if few pods wait. */
const REFRESH_FEW: Milliseconds = 10_000
/** How long after a report the scheduler may report a changed reason for the same pod, if many pods wait. */
const REFRESH_MANY: Milliseconds = 5 * 60_000
const FEW = 100
/** The result of a failed attempt: the message for each pod class, and a number that changes with the cluster's state. */
export interface Situation {
  readonly message: (queue: ClassQueue) => string
  readonly state: number
}

/** Reports why pods are unschedulable, as a condition of the pod and as an Event. */
export class Announcer {
  readonly #context: ClusterContext

  constructor(context: ClusterContext) {
    this.#context = context
  }

  /** Writes the reason to each pod of the pod classes that could not be scheduled. Returns when changed reasons may be written next. */
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
      // All pods of the class have been reported, and it is too early to report a changed reason, so the individual pods need no check.
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
    this.recordEvent(pending.pod, 'Warning', 'FailedScheduling', message)
    if (present?.reason === 'Unschedulable' && present.message === message) return
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastProbeTime: null,
      lastTransitionTime: formatTime(at),
    } as const
    const conditions = withCondition(present === undefined ? [] : [present], condition)
    const body = { metadata: { uid: pending.uid }, status: { conditions } }
    try {
      await this.#context.client.patch(
        kinds.Pod,
        namespacedRef(informerKey(pending.pod)),
        { type: 'strategic', body },
        { subresource: 'status' },
      )
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  /** Publishes an Event about a pod. Drops some Events if there are too many in a short time. */
  recordEvent(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const rateLimit = { bucket: `scheduler.${reason}`, qps: 20, burst: 500 }
    this.#context.events.publish({ object: pod, type, reason, message, rateLimit })
  }
}
