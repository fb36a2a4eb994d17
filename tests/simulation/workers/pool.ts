import type { CloudName } from '../runs/simulated-run.ts'
import type { Task, TaskResult, WorkerSettings } from './task.ts'
import { doAll } from './threads.ts'

export interface PoolOptions extends WorkerSettings {
  readonly workers: number
  /** The cloud on which to run the seeds. The default is the cloud that each seed selects. */
  readonly cloud?: CloudName
  /** Called with each result, in any order. If it returns `stop`, no further seeds start. */
  readonly onAnswer: (answer: TaskResult) => 'stop' | 'go on'
}

/** Runs the simulations of all seeds in this many threads. If a thread dies, its seed counts as broken and a new thread replaces it. */
export const playAll = (seeds: readonly number[], options: PoolOptions): Promise<void> =>
  doAll<Task, TaskResult>(
    seeds.map((seed) => ({ seed, ...(options.cloud === undefined ? {} : { cloud: options.cloud }) })),
    {
      ...options,
      script: new URL('./worker.ts', import.meta.url),
      died: ({ seed }, message) => ({ kind: 'broken', seed, message }),
    },
  )
