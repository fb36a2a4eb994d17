import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import { defineMetrics } from '../metrics/metric-table.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** Tasks shorter than this are not recorded. The Long Tasks API of browsers has the same threshold. */
const LONG: Milliseconds = 50
const WINDOW: Milliseconds = 60_000

export const longTaskMetrics = defineMetrics({
  longest: {
    name: 'kerf_event_loop_longest_task_seconds',
    type: 'gauge',
    help: 'The longest time for which a task blocked the event loop in the last one to two minutes. Tasks of less than 50 ms are not counted.',
    labels: ['task'],
  },
  tasks: {
    name: 'kerf_event_loop_long_tasks_total',
    type: 'counter',
    help: 'Tasks that blocked the event loop for 50 ms or more.',
    labels: ['task'],
  },
  cpu: {
    name: 'kerf_event_loop_long_tasks_cpu_seconds_total',
    type: 'counter',
    help: 'CPU time of the main thread in tasks that blocked the event loop for 50 ms or more.',
    labels: ['task'],
  },
})

/** Returns the processor time of the calling thread, or of the whole process before Node 23.9. */
const threadCpu = (): Milliseconds => {
  const host: Pick<NodeJS.Process, 'cpuUsage'> & { threadCpuUsage?(): NodeJS.CpuUsage } = process
  const { user, system } = host.threadCpuUsage?.() ?? host.cpuUsage()
  return (user + system) / 1_000
}

/**
 * Measures synchronous work. While such work runs, everything else in the process waits: watches, probes, and the renewal of the
 * Lease.
 */
export class LongTasks {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #cpu: () => Milliseconds
  readonly #metrics
  #began: Milliseconds
  #current = new Map<string, Milliseconds>()
  #previous: ReadonlyMap<string, Milliseconds> = new Map()

  constructor(metrics: Metrics, clock: Pick<Clock, 'monotonic'>, cpu: () => Milliseconds = threadCpu) {
    this.#clock = clock
    this.#cpu = cpu
    this.#began = clock.monotonic()
    this.#metrics = longTaskMetrics.register(metrics)
    metrics.onScrape(() => this.#show())
  }

  /** Runs the work and measures it. If `work` is asynchronous, only the time until its first `await` is measured. */
  run<T>(task: string, work: () => T): T {
    const cpu = this.#cpu()
    const start = this.#clock.monotonic()
    try {
      return work()
    } finally {
      const took = this.#clock.monotonic() - start
      if (took >= LONG) this.#note(task, took, this.#cpu() - cpu)
    }
  }

  #note(task: string, took: Milliseconds, cpu: Milliseconds): void {
    this.#roll()
    this.#current.set(task, Math.max(took, this.#current.get(task) ?? 0))
    this.#metrics.tasks.inc({ task })
    this.#metrics.cpu.inc({ task }, cpu / 1000)
  }

  #roll(): void {
    const now = this.#clock.monotonic()
    const passed = now - this.#began
    if (passed < WINDOW) return
    this.#previous = passed < 2 * WINDOW ? this.#current : new Map()
    this.#current = new Map()
    this.#began = now
  }

  #show(): void {
    this.#roll()
    const { longest } = this.#metrics
    longest.reset()
    for (const [task, took] of [...this.#previous, ...this.#current]) {
      longest.set(Math.max(took, this.#previous.get(task) ?? 0) / 1000, { task })
    }
  }
}

const known = new WeakMap<Metrics, LongTasks>()

/** Returns the `LongTasks` that report to these metrics. All callers with the same metrics get the same object. */
export const sharedLongTasks = ({
  metrics,
  clock,
}: {
  readonly metrics: Metrics
  readonly clock: Clock
}): LongTasks => {
  const found = known.get(metrics) ?? new LongTasks(metrics, clock)
  known.set(metrics, found)
  return found
}
