/** A long computation in steps. The caller can pause it between two steps and continue later. */
export type Steps<Result> = Generator<void, Result>

/** The number of nodes of a large cluster to read in one step, which takes a few milliseconds. */
export const NODES_PER_STEP = 250
/** The number of pods of a large cluster to read in one step, which takes a few milliseconds. */
export const PODS_PER_STEP = 1_000

/** Runs all steps at once and returns the result. */
export const atOnce = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
