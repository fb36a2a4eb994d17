import type { CloudName } from '../runs/simulated-run.ts'
import type { Outcome } from '../simulate.ts'

/** A change of one source file that replaces a text while the file is loaded. */
export interface Mutation {
  /** The path from the root of the repository, for a text that occurs in several files. Without it, the file is searched for. */
  readonly file?: string
  /** The text to replace. It must occur exactly once in product code; line breaks and indentation do not matter. */
  readonly text: string
  readonly replacement: string
}

/** A mutation whose file is known. */
export interface PlacedMutation extends Mutation {
  readonly file: string
}

export interface WorkerSettings {
  readonly mutation?: PlacedMutation
}

export interface Task {
  readonly seed: number
  /** The cloud to play the seed on. Default: the cloud that the seed draws. */
  readonly cloud?: CloudName
}

export type TaskResult =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'broken'; readonly seed: number; readonly message: string }
