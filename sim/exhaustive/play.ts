import { type Outcome, simulate } from '../simulate.ts'
import { Disturbance } from './disturbance.ts'
import { type Counts, type Point, pointText } from './point.ts'
import { rulesOf } from './rules.ts'
import type { Story } from './story.ts'

/** Stories are small: what they leave undone shows soon. */
const LOOK_EVERY = 15_000
const QUIET = 90_000
/** Less than the quarter of an hour after which a claim without a node is given up: nobody is to be saved by that. */
const PATIENCE = 10 * 60_000

export interface Played {
  readonly outcome: Outcome
  /** What happened in this run. */
  readonly counts: Counts
}

/**
 * Plays a story, disturbed at the point.
 *
 * @throws when the point is never reached: up to there a story takes the same course each time.
 */
export const play = async (story: Story, point?: Point, trace?: (line: string) => void): Promise<Played> => {
  const interference = new Disturbance(point)
  const outcome = await simulate(story.course, trace, {
    interference,
    rules: rulesOf(story),
    lookEvery: LOOK_EVERY,
    quiet: QUIET,
    patience: PATIENCE,
  })
  if (point !== undefined && !interference.struck)
    throw new Error(`story ${story.name} never comes to ${pointText(point)}`)
  return { outcome, counts: interference.counts }
}
