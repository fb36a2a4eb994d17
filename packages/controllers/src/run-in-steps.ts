import type { Steps } from '@kerf/engine'

/** Runs the steps of a computation. */
export interface StepRunner {
  /** Runs and measures one step. */
  run<Result>(step: () => Result): Result
  /** Yields to other work of the process. */
  giveWay(): Promise<void>
}

/**
 * Returns the result of a long computation. Yields to other work of the process between its steps. The computation must not read anything
 * that can change between two steps.
 */
export const runInSteps = async <Result>(steps: Steps<Result>, turns: StepRunner): Promise<Result> => {
  for (;;) {
    const { done, value } = turns.run(() => steps.next())
    if (done === true) return value
    await turns.giveWay()
  }
}
