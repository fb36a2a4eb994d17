import type { SimulatedRun } from '../runs/simulated-run.ts'
import type { Mutation } from '../workers/task.ts'

/** A deliberate bug: one rule switched off. */
export interface Mutant extends Mutation {
  readonly name: string
  /** The invariant that has to notice it, before all others; any one where none is named. */
  readonly caughtBy?: string
  /** The only cloud whose courses can show it. */
  readonly cloud?: SimulatedRun['cloud']
}
