import type { Steps } from '@kerf/engine'

/** Runs the steps of a computation. */
export interface StepRunner {
  /** Runs and measures one step. */
  run<Result>(step: () => Result): Result
  /** Lets other work of the process run. */
  giveWay(): Promise<void>
}

/**
 * Returns the result of a long computation and lets other work of the process run between two steps. The computation must not
 * read anything that can change in the meantime.
 */
export const runInSteps = async <Result>(steps: Steps<Result>, turns: StepRunner): Promise<Result> => {
  for (;;) {
    const { done, value } = turns.run(() => steps.next())
    if (done === true) return value
    await turns.giveWay()
  }
}
