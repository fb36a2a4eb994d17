import type { Steps } from '@kerf/engine'

/** Controls how the steps of a computation run. */
export interface StepRunner {
  /** Runs and measures one step. */
  run<Result>(step: () => Result): Result
  /** Yields to other work of the process. */
  giveWay(): Promise<void>
}

/**
 * Returns the result of a long computation, and yields to other work of the process between its steps. The computation must not read
 * anything that can change between two steps.
 */
export const runInSteps = async <Result>(steps: Steps<Result>, turns: StepRunner): Promise<Result> => {
  for (;;) {
    const { done, value } = turns.run(() => steps.next())
    if (done === true) return value
    await turns.giveWay()
  }
}
