import type { WorkerSettings } from '../workers/task.ts'
import { doAll } from '../workers/threads.ts'
import { type Counts, listPoints, type Point } from './point.ts'

export interface PointTask {
  readonly story: string
  /** The point at which to inject the failure. If absent, the story runs undisturbed. */
  readonly point?: Point
}

export interface PointResult extends PointTask {
  /** The violation, with the name of the invariant. */
  readonly problem?: string
  /** The counts of this run. Undefined if the run ended with an error. */
  readonly counts?: Counts
}

export interface PlayOptions extends WorkerSettings {
  readonly workers: number
  /** Selects the points of a story to test. The default is all points. */
  readonly choose?: (counts: Counts, story: string) => readonly Point[]
  /** Called with a story's selected points after the story has run undisturbed. */
  readonly onRecorded: (story: string, points: readonly Point[]) => void
  /** Called after each point, and for a story that fails undisturbed. The points of such a story are skipped. */
  readonly onAnswer: (answer: PointResult) => 'stop' | 'go on'
}

/** Runs each story undisturbed, and then once for each of its points, with the failure injected there. */
export const playPoints = (stories: readonly string[], options: PlayOptions): Promise<void> => {
  const { choose = listPoints, onRecorded, onAnswer } = options
  const take = (answer: PointResult): 'stop' | 'go on' | readonly PointTask[] => {
    const { story, counts } = answer
    if (answer.point !== undefined || answer.problem !== undefined || counts === undefined) return onAnswer(answer)
    const points = choose(counts, story)
    onRecorded(story, points)
    return points.map((point) => ({ story, point }))
  }
  return doAll<PointTask, PointResult>(
    stories.map((story) => ({ story })),
    {
      ...options,
      script: new URL('./worker.ts', import.meta.url),
      died: (task, message) => ({ ...task, problem: `broke: ${message}` }),
      onAnswer: take,
    },
  )
}
