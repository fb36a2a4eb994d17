import { Worker } from 'node:worker_threads'
import type { Answer, WorkerSettings } from './task.ts'

export interface PoolOptions extends WorkerSettings {
  readonly workers: number
  /** Answers come in any order. Answering `stop` lets no further seed begin. */
  readonly onAnswer: (answer: Answer) => 'stop' | 'go on'
}

/** Plays all seeds in so many threads. A thread that dies is a broken seed, and is replaced. */
export const playAll = async (seeds: readonly number[], options: PoolOptions): Promise<void> => {
  const { workers, onAnswer, mutation } = options
  const queue = [...seeds]
  const runOne = async (): Promise<void> => {
    while (queue.length > 0) await runWorker()
  }
  const runWorker = (): Promise<void> =>
    new Promise((resolve) => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url), {
        workerData: mutation === undefined ? {} : { mutation },
      })
      let current: number | undefined
      const next = (): void => {
        current = queue.shift()
        if (current === undefined) void worker.terminate()
        else worker.postMessage({ seed: current })
      }
      const hear = (answer: Answer): void => {
        current = undefined
        if (onAnswer(answer) === 'stop') queue.length = 0
      }
      worker.on('message', (answer: Answer) => {
        hear(answer)
        next()
      })
      worker.on('error', (error) => {
        if (current !== undefined)
          hear({
            kind: 'broken',
            seed: current,
            message: error instanceof Error ? (error.stack ?? error.message) : String(error),
          })
      })
      worker.on('exit', () => resolve())
      next()
    })
  await Promise.all(Array.from({ length: Math.min(workers, seeds.length) }, runOne))
}
