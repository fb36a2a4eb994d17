/** A long computation that may be left off between two steps, and goes on where it was. */
export type Steps<Result> = Generator<void, Result>

/** Runs it from begin to end at once. */
export const atOnce = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
