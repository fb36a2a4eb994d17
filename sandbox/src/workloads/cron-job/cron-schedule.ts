import type { CronJob, Milliseconds } from '@kerf/apis'
import { Cron } from 'croner'

/** The times of a cron expression. Throws for one that croner cannot read. */
export class CronSchedule {
  readonly #cron: Cron

  constructor(spec: Pick<CronJob['spec'], 'schedule' | 'timeZone'>) {
    this.#cron = new Cron(spec.schedule, { paused: true, mode: '5-part', timezone: spec.timeZone ?? 'Etc/UTC' })
  }

  /** The first time after `from`. */
  next(from: Milliseconds): Milliseconds | undefined {
    return this.#cron.nextRun(new Date(from))?.getTime()
  }

  /** The last time after `from` and not after `now`; missed earlier ones are skipped, as upstream skips them. */
  latestDue(from: Milliseconds, now: Milliseconds): Milliseconds | undefined {
    const [last] = this.#cron.previousRuns(1, new Date(now + 1))
    const due = last?.getTime()
    return due !== undefined && due > from && due <= now ? due : undefined
  }
}
