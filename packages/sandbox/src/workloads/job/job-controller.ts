import {
  type Condition,
  formatTime,
  isActive,
  isTerminal,
  isTerminating,
  type Job,
  type JobStatus,
  kinds,
  type Milliseconds,
  type Pod,
  parseTime,
} from '@kerf/apis'
import {
  type Controller,
  done,
  informerKey,
  isConflict,
  isNotFound,
  type Key,
  type Outcome,
  parseKey,
  retryAfter,
  type Source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { namespacedRef } from '../../objects/object-key.ts'
import { ownedObjects } from '../../objects/ownership.ts'
import { isReady } from '../../objects/pod-state.ts'
import { same } from '../../objects/same.ts'
import { OwnedChildren } from '../owned-children.ts'
import { podFromTemplate } from '../pod-from-template.ts'

/** Keeps a finished pod until its result is counted, so that a deleted pod is counted exactly once. */
const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking'
const INDEX_ANNOTATION = 'batch.kubernetes.io/job-completion-index'

const FIRST_BACKOFF: Milliseconds = 10_000
const LONGEST_BACKOFF: Milliseconds = 10 * 60_000

export const jobCondition = (job: Job, type: string): Condition | undefined =>
  job.status?.conditions?.find((condition) => condition.type === type && condition.status === 'True')

export const isFinished = (job: Job): boolean =>
  jobCondition(job, 'Complete') !== undefined || jobCondition(job, 'Failed') !== undefined

const indexOf = (pod: Pod): number => Number(pod.metadata.annotations?.[INDEX_ANNOTATION] ?? Number.NaN)

/** Parses indexes such as `0,2-4`. */
const parseIndexes = (text: string | undefined): Set<number> => {
  const indexes = new Set<number>()
  for (const part of (text ?? '').split(',').filter((one) => one !== '')) {
    const [from, to] = part.split('-').map(Number)
    for (let index = from ?? 0; index <= (to ?? from ?? -1); index++) indexes.add(index)
  }
  return indexes
}

const formatIndexes = (indexes: ReadonlySet<number>): string => {
  const parts: string[] = []
  const order = [...indexes].sort((a, b) => a - b)
  for (let at = 0; at < order.length; ) {
    let end = at
    while (order[end + 1] === (order[end] ?? 0) + 1) end++
    parts.push(end === at ? String(order[at]) : `${order[at]}-${order[end]}`)
    at = end + 1
  }
  return parts.join(',')
}

/** Returns the conditions of a finished job. Returns none while the job is running. */
const verdictOf = (
  job: Job,
  {
    failed,
    succeeded,
    active,
    now,
    deadline,
  }: {
    readonly failed: number
    readonly succeeded: number
    readonly active: number
    readonly now: Milliseconds
    readonly deadline: number
  },
): readonly Condition[] => {
  const condition = (type: string, reason: string, message: string): Condition => ({
    type,
    status: 'True',
    reason,
    message,
    lastProbeTime: formatTime(now),
    lastTransitionTime: formatTime(now),
  })
  if (failed > (job.spec.backoffLimit ?? 6))
    return [condition('Failed', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit')]
  if (now >= deadline) return [condition('Failed', 'DeadlineExceeded', 'Job was active longer than specified deadline')]
  const { completions } = job.spec
  const enough = completions === undefined ? succeeded > 0 && active === 0 : succeeded >= completions
  if (!enough) return []
  const message = 'Reached expected number of succeeded pods'
  return [
    condition('SuccessCriteriaMet', 'CompletionsReached', message),
    condition('Complete', 'CompletionsReached', message),
  ]
}

/** Runs a job's pods until enough of them have succeeded or too many have failed. */
export class JobController implements Controller {
  readonly name = 'job'
  readonly concurrency = 4
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #owned: OwnedChildren<Job, Pod>
  /** When the last failure was counted, keyed by job. The back-off starts at that time. */
  readonly #failedAt = new Map<Key, Milliseconds>()

  constructor(context: ClusterContext) {
    this.#context = context
    this.#owned = new OwnedChildren(context, { owner: kinds.Job, child: kinds.Pod })
    this.sources = this.#owned.sources
  }

  async reconcile(key: Key): Promise<Outcome> {
    const job = this.#owned.owners.get(key)
    if (job === undefined) {
      this.#owned.expected.forget(key)
      this.#failedAt.delete(key)
      return done()
    }
    const pods = [...ownedObjects(this.#owned.children, job)]
    try {
      if (isFinished(job)) return await this.#afterFinish(key, job, pods)
      if (job.metadata.deletionTimestamp !== undefined) {
        await this.#release(pods.filter((pod) => isTerminal(pod) || isTerminating(pod)))
        return done()
      }
      return await this.#run(key, job, pods)
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return retryAfter(100)
      throw error
    }
  }

  async #run(key: Key, job: Job, pods: readonly Pod[]): Promise<Outcome> {
    const now = this.#context.clock.now()
    const counted = await this.#count(key, job, pods, now)
    const active = pods.filter(isActive)
    const parallelism = job.spec.parallelism ?? 1
    const completions = job.spec.completions
    const failed = counted.failed ?? 0
    const succeeded = counted.succeeded ?? 0
    const startTime = job.spec.suspend === true ? undefined : (job.status?.startTime ?? formatTime(now))
    const started = parseTime(startTime)
    const deadline =
      started === undefined || job.spec.activeDeadlineSeconds === undefined
        ? Number.POSITIVE_INFINITY
        : started + job.spec.activeDeadlineSeconds * 1000
    const verdict = verdictOf(job, { failed, succeeded, active: active.length, now, deadline })
    const over = verdict.length > 0
    let wait = Number.isFinite(deadline) ? deadline - now : Number.POSITIVE_INFINITY
    if (over || job.spec.suspend === true) {
      for (const pod of active) await this.#owned.delete(key, pod)
    } else if (this.#owned.expected.met(key)) {
      const remaining =
        completions === undefined ? (succeeded > 0 ? active.length : parallelism) : completions - succeeded
      const target = Math.max(0, Math.min(parallelism, remaining))
      const backoff = failed === 0 ? 0 : Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (failed - 1))
      const earliest = (this.#failedAt.get(key) ?? Number.NEGATIVE_INFINITY) + backoff
      if (active.length < target && now < earliest) wait = Math.min(wait, earliest - now)
      else if (active.length < target)
        await this.#create(key, job, pods, target - active.length, counted.completedIndexes)
      for (const pod of active.slice(target)) await this.#owned.delete(key, pod)
    }
    const complete = verdict.some((one) => one.type === 'Complete')
    const conditions = [...(job.status?.conditions ?? []), ...verdict]
    await this.#writeStatus(key, job, {
      ...counted,
      ...(startTime === undefined ? {} : { startTime }),
      active: over ? 0 : active.length,
      ready: over ? 0 : active.filter(isReady).length,
      terminating: pods.filter((pod) => isTerminating(pod) && !isTerminal(pod)).length,
      ...(conditions.length > 0 ? { conditions } : {}),
      ...(complete ? { completionTime: formatTime(now) } : {}),
    })
    return Number.isFinite(wait) ? retryAfter(Math.max(1, wait)) : done()
  }

  /**
   * Counts finished pods in three steps, so that a crash in between loses nothing. It first records the uids of the pods as uncounted, then
   * removes their finalizers, and finally increases the counters and removes the uids in one write.
   */
  async #count(key: Key, job: Job, pods: readonly Pod[], now: Milliseconds): Promise<JobStatus> {
    const byUid = new Map(pods.map((pod) => [pod.metadata.uid ?? '', pod]))
    const uncounted = {
      succeeded: [...(job.status?.uncountedTerminatedPods?.succeeded ?? [])],
      failed: [...(job.status?.uncountedTerminatedPods?.failed ?? [])],
    }
    const indexes = parseIndexes(job.status?.completedIndexes)
    const tracked = (pod: Pod): boolean => (pod.metadata.finalizers ?? []).includes(TRACKING_FINALIZER)
    const known = new Set([...uncounted.succeeded, ...uncounted.failed])
    const fresh = pods.filter(
      (pod) => tracked(pod) && !known.has(pod.metadata.uid ?? '') && (isTerminal(pod) || isTerminating(pod)),
    )
    for (const pod of fresh) {
      const uid = pod.metadata.uid ?? ''
      if (pod.status?.phase === 'Succeeded') {
        if (job.spec.completionMode === 'Indexed') {
          // A second success for the same index does not count as another completion.
          if (indexes.has(indexOf(pod))) continue
          indexes.add(indexOf(pod))
        }
        uncounted.succeeded.push(uid)
      } else {
        uncounted.failed.push(uid)
        this.#failedAt.set(key, now)
      }
    }
    if (fresh.length > 0) {
      const status = {
        uncountedTerminatedPods: uncounted,
        ...(indexes.size > 0 ? { completedIndexes: formatIndexes(indexes) } : {}),
      }
      await this.#context.client.patch(
        kinds.Job,
        parseKey(key),
        { type: 'merge', body: { metadata: { resourceVersion: job.metadata.resourceVersion }, status } },
        { subresource: 'status' },
      )
    }
    await this.#release([...uncounted.succeeded, ...uncounted.failed].flatMap((uid) => byUid.get(uid) ?? []))
    const succeeded = (job.status?.succeeded ?? 0) + uncounted.succeeded.length
    const failed = (job.status?.failed ?? 0) + uncounted.failed.length
    return {
      ...(succeeded > 0 ? { succeeded } : {}),
      ...(failed > 0 ? { failed } : {}),
      ...(indexes.size > 0 ? { completedIndexes: formatIndexes(indexes) } : {}),
      uncountedTerminatedPods: {},
    }
  }

  async #release(pods: readonly Pod[]): Promise<void> {
    for (const pod of pods) {
      const present = pod.metadata.finalizers ?? []
      if (!present.includes(TRACKING_FINALIZER)) continue
      const finalizers = present.filter((finalizer) => finalizer !== TRACKING_FINALIZER)
      const body = { metadata: { uid: pod.metadata.uid, finalizers } }
      try {
        await this.#context.client.patch(kinds.Pod, namespacedRef(informerKey(pod)), { type: 'merge', body })
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
  }

  async #create(key: Key, job: Job, pods: readonly Pod[], count: number, completed: string | undefined): Promise<void> {
    const labels = {
      'batch.kubernetes.io/job-name': job.metadata.name,
      'batch.kubernetes.io/controller-uid': job.metadata.uid ?? '',
      'job-name': job.metadata.name,
      'controller-uid': job.metadata.uid ?? '',
    }
    const indexed = job.spec.completionMode === 'Indexed'
    const taken = parseIndexes(completed)
    for (const pod of pods) if (isActive(pod)) taken.add(indexOf(pod))
    let next = 0
    for (let made = 0; made < count; made++) {
      while (indexed && taken.has(next)) next++
      if (indexed && next >= (job.spec.completions ?? 0)) return
      taken.add(next)
      const pod = podFromTemplate(
        job.spec.template,
        { kind: kinds.Job, object: job },
        {
          finalizers: [TRACKING_FINALIZER],
          labels: indexed ? { ...labels, [INDEX_ANNOTATION]: String(next) } : labels,
          ...(indexed ? { annotations: { [INDEX_ANNOTATION]: String(next) } } : {}),
        },
      )
      const created = await this.#context.client.create(kinds.Pod, pod)
      this.#owned.expected.created(key, informerKey(created), created)
      this.#context.events.publish({
        object: job,
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message: `Created pod: ${created.metadata.name}`,
        rateLimit: { bucket: this.name, qps: 10, burst: 100 },
      })
    }
  }

  async #writeStatus(key: Key, job: Job, status: JobStatus): Promise<void> {
    if (same(status, job.status)) return
    // The counters must never overwrite a newer state. Therefore the write happens only if the stored spec and counters still equal those
    // that this pass has read.
    const latest = await this.#context.client.get(kinds.Job, parseKey(key))
    if (!same(latest.spec, job.spec) || (latest.status?.succeeded ?? 0) !== (job.status?.succeeded ?? 0)) return
    if ((latest.status?.failed ?? 0) !== (job.status?.failed ?? 0)) return
    await this.#context.client.update(kinds.Job, { ...latest, status }, { subresource: 'status' })
  }

  async #afterFinish(key: Key, job: Job, pods: readonly Pod[]): Promise<Outcome> {
    await this.#release(pods)
    const ttl = job.spec.ttlSecondsAfterFinished
    if (ttl === undefined || job.metadata.deletionTimestamp !== undefined) return done()
    const finished = jobCondition(job, 'Complete') ?? jobCondition(job, 'Failed')
    const expires = (parseTime(finished?.lastTransitionTime) ?? 0) + ttl * 1000
    const now = this.#context.clock.now()
    if (now < expires) return retryAfter(expires - now)
    const uid = job.metadata.uid
    await this.#context.client.delete(kinds.Job, parseKey(key), {
      propagationPolicy: 'Foreground',
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    })
    return done()
  }
}
