import type { Steps } from '@kerf/engine'

/** How the steps of a computation are done. */
export interface Turns {
  /** Measures a step. */
  run<Result>(step: () => Result): Result
  /** Lets everything else of the process go on. */
  giveWay(): Promise<void>
}

/**
 * Returns the result of a long computation, and lets everything else go on between two of its steps. The computation must read
 * nothing that changes meanwhile.
 */
export const inTurns = async <Result>(steps: Steps<Result>, turns: Turns): Promise<Result> => {
  for (;;) {
    const { done, value } = turns.run(() => steps.next())
    if (done === true) return value
    await turns.giveWay()
  }
}
