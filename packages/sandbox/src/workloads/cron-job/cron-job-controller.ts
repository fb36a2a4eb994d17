import {
  type CronJob,
  formatTime,
  type Job,
  kinds,
  type Milliseconds,
  type ObjectReference,
  parseTime,
} from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  informerKey,
  isAlreadyExists,
  isNotFound,
  type Key,
  type Outcome,
  parseKey,
  retryAfter,
  type Source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { controllerReference, indexByController, ownedObjects } from '../../objects/ownership.ts'
import { same } from '../../objects/same.ts'
import { childSource, ownSource } from '../../objects/sources.ts'
import { isFinished, jobCondition } from '../job/job-controller.ts'
import { CronSchedule } from './cron-schedule.ts'

const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

/** Creates a Job at each time of the schedule. */
export class CronJobController implements Controller {
  readonly name = 'cronjob'
  readonly concurrency = 2
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #cronJobs: Informer<CronJob>
  readonly #jobs: Informer<Job>
  /** The last scheduled time that the controller has handled, keyed by CronJob uid. The informer shows that time only with a delay. */
  readonly #lastScheduled = new Map<string, Milliseconds>()

  constructor(context: ClusterContext) {
    this.#context = context
    this.#cronJobs = context.informers.of(kinds.CronJob)
    this.#jobs = context.informers.of(kinds.Job)
    this.#cronJobs.onChange(({ before, after }) => {
      if (after === undefined) this.#lastScheduled.delete(before?.metadata.uid ?? '')
    })
    indexByController(this.#jobs)
    this.sources = [ownSource(context, kinds.CronJob), childSource(context, kinds.Job, kinds.CronJob)]
  }

  async reconcile(key: Key): Promise<Outcome> {
    const cronJob = this.#cronJobs.get(key)
    if (cronJob === undefined || cronJob.metadata.deletionTimestamp !== undefined) return done()
    let schedule: CronSchedule
    try {
      schedule = new CronSchedule(cronJob.spec)
    } catch (error) {
      this.#recordEvent(
        cronJob,
        'Warning',
        'UnparseableSchedule',
        `unparseable schedule: ${error instanceof Error ? error.message : error}`,
      )
      return done()
    }
    const now = this.#context.clock.now()
    const jobs = [...ownedObjects(this.#jobs, cronJob)]
    await this.#trim(cronJob, jobs)
    const uid = cronJob.metadata.uid ?? ''
    const recorded = parseTime(cronJob.status?.lastScheduleTime) ?? parseTime(cronJob.metadata.creationTimestamp) ?? now
    const last = Math.max(recorded, this.#lastScheduled.get(uid) ?? 0)
    const due = cronJob.spec.suspend === true ? undefined : schedule.latestDue(last, now)
    const deadline = (cronJob.spec.startingDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000
    let started: Job | undefined
    if (due !== undefined && now - due <= deadline) started = await this.#start(cronJob, jobs, due)
    await this.#writeStatus(key, cronJob, jobs, started, started === undefined ? undefined : due)
    const next = cronJob.spec.suspend === true ? undefined : schedule.next(now)
    return next === undefined ? done() : retryAfter(next - now)
  }

  async #start(cronJob: CronJob, jobs: readonly Job[], due: Milliseconds): Promise<Job | undefined> {
    const active = jobs.filter((job) => !isFinished(job))
    if (active.length > 0 && cronJob.spec.concurrencyPolicy === 'Forbid') return undefined
    if (cronJob.spec.concurrencyPolicy === 'Replace') for (const job of active) await this.#delete(job)
    const { metadata, spec } = cronJob.spec.jobTemplate
    const name = `${cronJob.metadata.name}-${Math.floor(due / 60_000)}`
    const job: Job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name,
        namespace: cronJob.metadata.namespace ?? '',
        labels: { ...metadata?.labels },
        annotations: { ...metadata?.annotations, [SCHEDULED_AT]: formatTime(due) },
        ownerReferences: [controllerReference(kinds.CronJob, cronJob)],
      },
      spec,
    }
    this.#lastScheduled.set(cronJob.metadata.uid ?? '', due)
    try {
      const created = await this.#context.client.create(kinds.Job, job)
      this.#recordEvent(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${name}`)
      return created
    } catch (error) {
      if (!isAlreadyExists(error)) {
        this.#lastScheduled.delete(cronJob.metadata.uid ?? '')
        throw error
      }
      return undefined
    }
  }

  async #writeStatus(
    key: Key,
    cronJob: CronJob,
    jobs: readonly Job[],
    started: Job | undefined,
    scheduledAt: Milliseconds | undefined,
  ): Promise<void> {
    const known = new Set(jobs.map((job) => job.metadata.uid))
    const running = [...jobs, ...(started === undefined || known.has(started.metadata.uid) ? [] : [started])]
    const reference = (job: Job): ObjectReference => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      name: job.metadata.name,
      namespace: job.metadata.namespace ?? '',
      uid: job.metadata.uid ?? '',
    })
    const active = running
      .filter((job) => !isFinished(job) && job.metadata.deletionTimestamp === undefined)
      .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
      .map(reference)
    const finished = jobs.map((job) => job.status?.completionTime).filter((time) => time !== undefined)
    // The informer might not show the last write yet. Scheduled times never decrease, so the later of the two is correct.
    const scheduled = Math.max(
      scheduledAt ?? 0,
      this.#lastScheduled.get(cronJob.metadata.uid ?? '') ?? 0,
      parseTime(cronJob.status?.lastScheduleTime) ?? 0,
    )
    const lastScheduleTime = scheduled === 0 ? undefined : formatTime(scheduled)
    const lastSuccessfulTime = [cronJob.status?.lastSuccessfulTime ?? '', ...finished].sort().at(-1)
    const status = {
      ...(active.length > 0 ? { active } : {}),
      ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
      ...(lastSuccessfulTime ? { lastSuccessfulTime } : {}),
    }
    if (same(status, cronJob.status ?? {})) return
    const body = { metadata: { uid: cronJob.metadata.uid }, status: { active: null, ...status } }
    try {
      await this.#context.client.patch(kinds.CronJob, parseKey(key), { type: 'merge', body }, { subresource: 'status' })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  /** Deletes the oldest finished jobs that exceed the history limits. */
  async #trim(cronJob: CronJob, jobs: readonly Job[]): Promise<void> {
    const trim = async (finished: readonly Job[], keep: number): Promise<void> => {
      const order = finished.toSorted((a, b) => ((a.status?.startTime ?? '') < (b.status?.startTime ?? '') ? -1 : 1))
      for (const job of order.slice(0, Math.max(0, order.length - keep))) await this.#delete(job)
    }
    const gone = (job: Job): boolean => job.metadata.deletionTimestamp !== undefined
    await trim(
      jobs.filter((job) => !gone(job) && jobCondition(job, 'Complete') !== undefined),
      cronJob.spec.successfulJobsHistoryLimit ?? 3,
    )
    await trim(
      jobs.filter((job) => !gone(job) && jobCondition(job, 'Failed') !== undefined),
      cronJob.spec.failedJobsHistoryLimit ?? 1,
    )
  }

  async #delete(job: Job): Promise<void> {
    try {
      await this.#context.client.delete(kinds.Job, parseKey(informerKey(job)), { propagationPolicy: 'Background' })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  #recordEvent(object: CronJob, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#context.events.publish({ object, type, reason, message })
  }
}
