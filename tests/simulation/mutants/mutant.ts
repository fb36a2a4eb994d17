import type { CloudName } from '../runs/simulated-run.ts'
import type { Mutation } from '../workers/task.ts'

/** A deliberate bug that disables one rule. */
export interface Mutant extends Mutation {
  readonly name: string
  /** The invariant that must catch the bug first. If absent, any invariant may catch it. */
  readonly caughtBy?: string
  /** The only cloud whose runs can reveal the bug. */
  readonly cloud?: CloudName
}
