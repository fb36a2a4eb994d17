import type { CronJob, Milliseconds } from '@kerf/apis'
import { Cron } from 'croner'

/** The scheduled times of a cron expression. The constructor throws if croner cannot parse the expression. */
export class CronSchedule {
  readonly #cron: Cron

  constructor(spec: Pick<CronJob['spec'], 'schedule' | 'timeZone'>) {
    this.#cron = new Cron(spec.schedule, { paused: true, mode: '5-part', timezone: spec.timeZone ?? 'Etc/UTC' })
  }

  /** Returns the first scheduled time after `from`. */
  next(from: Milliseconds): Milliseconds | undefined {
    return this.#cron.nextRun(new Date(from))?.getTime()
  }

  /** Returns the latest scheduled time that is after `from` and not after `now`. Skips earlier missed times, as upstream does. */
  latestDue(from: Milliseconds, now: Milliseconds): Milliseconds | undefined {
    const [last] = this.#cron.previousRuns(1, new Date(now + 1))
    const due = last?.getTime()
    return due !== undefined && due > from && due <= now ? due : undefined
  }
}
