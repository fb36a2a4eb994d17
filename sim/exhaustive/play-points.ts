import type { WorkerSettings } from '../workers/task.ts'
import { doAll } from '../workers/threads.ts'
import { type Counts, drawTenth, type Point, pointsOf } from './point.ts'

export interface PointTask {
  readonly story: string
  /** Nothing for the undisturbed run. */
  readonly point?: Point
}

export interface PointAnswer extends PointTask {
  /** What does not hold, with the invariant that says so. */
  readonly problem?: string
  /** What happened in this run; nothing when it broke. */
  readonly counts?: Counts
}

export interface PlayOptions extends WorkerSettings {
  readonly workers: number
  /** The seed of the tenth of the points that is played; all are without it. */
  readonly tenth?: string
  /** Which points are played, of those that there are. */
  readonly isWanted?: (point: Point) => boolean
  /** A story was played undisturbed, and has these points. */
  readonly onRecorded: (story: string, points: readonly Point[]) => void
  /** A point was played, or a story that does not hold even undisturbed: its points are not played. */
  readonly onAnswer: (answer: PointAnswer) => 'stop' | 'go on'
}

/** Plays each story undisturbed, and then disturbed at each of its points. */
export const playPoints = (stories: readonly string[], options: PlayOptions): Promise<void> => {
  const { tenth, isWanted = () => true, onRecorded, onAnswer } = options
  const hear = (answer: PointAnswer): 'stop' | 'go on' | readonly PointTask[] => {
    const { story, counts } = answer
    if (answer.point !== undefined || answer.problem !== undefined || counts === undefined) return onAnswer(answer)
    const points = (tenth === undefined ? pointsOf(counts) : drawTenth(counts, `${tenth}-${story}`)).filter(isWanted)
    onRecorded(story, points)
    return points.map((point) => ({ story, point }))
  }
  return doAll<PointTask, PointAnswer>(
    stories.map((story) => ({ story })),
    {
      ...options,
      script: new URL('./worker.ts', import.meta.url),
      died: (task, message) => ({ ...task, problem: `broke: ${message}` }),
      onAnswer: hear,
    },
  )
}
