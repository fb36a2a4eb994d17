import type { Mutation } from '../workers/task.ts'

/** A deliberate bug: one rule switched off. */
export interface Mutant extends Mutation {
  readonly name: string
}
