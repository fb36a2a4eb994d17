import { type Outcome, simulate } from '../simulate.ts'
import { type Counts, type Point, pointText } from './point.ts'
import { PointInjector } from './point-injector.ts'
import { storyInvariants } from './rules.ts'
import type { Story } from './story.ts'

/** How often the run is checked, and how long it must stay quiet. Stories are small, so unfinished work shows soon. */
const CHECK_INTERVAL = 15_000
const QUIET = 90_000
/**
 * The timeout of a story. It is shorter than the 15 minutes after which Kerf deletes a NodeClaim without a node. A story therefore cannot
 * succeed because of that deletion.
 */
const TIMEOUT = 10 * 60_000

export interface Simulated {
  readonly outcome: Outcome
  /** The counts of this run. */
  readonly counts: Counts
}

/**
 * Runs a story and injects a failure at the point.
 * @throws Error if the story never reaches the point. Every run of a story is identical up to its point.
 */
export const play = async (story: Story, point?: Point, trace?: (line: string) => void): Promise<Simulated> => {
  const injector = new PointInjector(point)
  const outcome = await simulate(story.run, trace, {
    injector,
    rules: storyInvariants(story),
    checkInterval: CHECK_INTERVAL,
    quiet: QUIET,
    timeout: TIMEOUT,
  })
  if (point !== undefined && !injector.isReached)
    throw new Error(`story ${story.name} never comes to ${pointText(point)}`)
  return { outcome, counts: injector.counts }
}
