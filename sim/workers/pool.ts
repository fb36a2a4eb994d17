import type { CloudName } from '../runs/cloud-names.ts'
import type { Task, TaskResult, WorkerSettings } from './task.ts'
import { doAll } from './threads.ts'

export interface PoolOptions extends WorkerSettings {
  readonly workers: number
  /** The cloud to play them on, where that is not the one that they draw. */
  readonly cloud?: CloudName
  /** Answers come in any order. `stop` keeps further seeds from starting. */
  readonly onAnswer: (answer: TaskResult) => 'stop' | 'go on'
}

/** Plays all seeds in this many threads. A thread that dies counts as a broken seed, and is replaced. */
export const playAll = (seeds: readonly number[], options: PoolOptions): Promise<void> =>
  doAll<Task, TaskResult>(
    seeds.map((seed) => ({ seed, ...(options.cloud === undefined ? {} : { cloud: options.cloud }) })),
    {
      ...options,
      script: new URL('./worker.ts', import.meta.url),
      died: ({ seed }, message) => ({ kind: 'broken', seed, message }),
    },
  )
