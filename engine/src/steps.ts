/** A long computation that may be left off between two steps, and goes on where it was. */
export type Steps<Result> = Generator<void, Result>

/** How much is read of a large cluster in one step: a few milliseconds of work. */
export const NODES_PER_STEP = 250
export const PODS_PER_STEP = 1_000

/** Runs it from begin to end at once. */
export const atOnce = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
