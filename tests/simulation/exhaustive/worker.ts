// A worker thread that runs the stories and points sent to it.
import { parentPort, workerData } from 'node:worker_threads'
import { mutate } from '../workers/mutate.ts'
import type { WorkerSettings } from '../workers/task.ts'
import type { PointResult, PointTask } from './play-points.ts'

const { mutation } = workerData as WorkerSettings
if (mutation !== undefined) mutate(mutation)

const port = parentPort
if (port === null) throw new Error('worker.ts runs as a worker thread only')

// Imported after the source change has been installed, so that the change affects these modules.
const loaded = Promise.all([import('./play.ts'), import('./stories/index.ts')])

port.on('message', ({ story, point }: PointTask) => {
  const answer = async (): Promise<PointResult> => {
    const [{ play }, { storyNamed }] = await loaded
    const { outcome, counts } = await play(storyNamed(story), point)
    const { violation } = outcome
    const problem = violation === undefined ? undefined : `${violation.invariant}: ${violation.problem}`
    return { story, counts, ...(point === undefined ? {} : { point }), ...(problem === undefined ? {} : { problem }) }
  }
  answer()
    .catch((error: unknown): PointResult => {
      const problem = `broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
      return { story, problem, ...(point === undefined ? {} : { point }) }
    })
    .then((each) => port.postMessage(each))
})
