import type { CloudName } from '../runs/simulated-run.ts'
import type { Outcome } from '../simulate.ts'

/** A change that replaces a text in one source file while the file is loaded. */
export interface Mutation {
  /**
   * The file's path, relative to the root of the repository. Needed only if the text occurs in several files. Otherwise the file is
   * searched for.
   */
  readonly file?: string
  /** The text to replace. It must occur exactly once in product code. Line breaks and indentation do not matter. */
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
  /** The cloud on which to run the seed. The default is the cloud that the seed selects. */
  readonly cloud?: CloudName
}

export type TaskResult =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'broken'; readonly seed: number; readonly message: string }
