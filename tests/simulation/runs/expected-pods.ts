import type { Milliseconds } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { Randomness } from './randomness.ts'

/** How a run plans for pods that do not exist yet, and how the controllers of its cluster create pods. */
export interface ExpectedPods {
  /** How long the creation of one pod takes. */
  readonly podDelay: Milliseconds
  /** The period in which the API server refuses new pods because of an exhausted quota. */
  readonly refusal?: { readonly from: Milliseconds; readonly until: Milliseconds }
}

/**
 * Draws whether Kerf plans for expected pods, which is the case in a third of the seeds. The stream of random numbers is separate, so that
 * all other draws of a seed stay the same.
 *
 * @param life the time until which faults may last
 */
export const drawExpectedPods = (seed: number, life: Milliseconds): ExpectedPods | undefined => {
  const randomness = new Randomness(new SeededRandom(`expected-pods-${seed}`))
  if (!randomness.happens(1 / 3)) return undefined
  const podDelay = randomness.of([0, 50, 50, 300, 2_000])
  if (!randomness.happens(0.4)) return { podDelay }
  const from = randomness.between(1_000, life - 90_000)
  return { podDelay, refusal: { from, until: from + randomness.between(5_000, 90_000) } }
}
