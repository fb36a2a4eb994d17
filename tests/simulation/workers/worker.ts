// A worker thread that runs the simulations of the seeds sent to it.
import { parentPort, workerData } from 'node:worker_threads'
import { mutate } from './mutate.ts'
import type { Task, TaskResult, WorkerSettings } from './task.ts'

const { mutation } = workerData as WorkerSettings
if (mutation !== undefined) mutate(mutation)

const port = parentPort
if (port === null) throw new Error('worker.ts runs as a worker thread only')

// Imported after the source change has been installed, so that the change affects these modules.
const loaded = Promise.all([import('../simulate.ts'), import('../runs/draw-run.ts')])

port.on('message', ({ seed, cloud }: Task) => {
  const play = async (): Promise<TaskResult> => {
    const [{ simulate }, { drawRun }] = await loaded
    return { kind: 'outcome', outcome: await simulate(drawRun(seed, cloud)) }
  }
  play()
    .catch(
      (error: unknown): TaskResult => ({
        kind: 'broken',
        seed,
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    )
    .then((answer) => port.postMessage(answer))
})
