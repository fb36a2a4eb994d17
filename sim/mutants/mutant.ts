import type { CloudName } from '../runs/cloud-names.ts'
import type { Mutation } from '../workers/task.ts'

/** A deliberate bug: one rule switched off. */
export interface Mutant extends Mutation {
  readonly name: string
  /** The invariant that has to catch it before all others. Without a name any invariant may. */
  readonly caughtBy?: string
  /** The only cloud whose runs can show it. */
  readonly cloud?: CloudName
}
