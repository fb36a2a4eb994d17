import type { CloudName } from '../runs/simulated-run.ts'
import type { Outcome } from '../simulate.ts'

/** A change of one source file that replaces an exact text while the file is loaded. */
export interface Mutation {
  /** The path from the root of the repository. */
  readonly file: string
  /** The text to replace. It must occur exactly once. */
  readonly text: string
  readonly replacement: string
}

export interface WorkerSettings {
  readonly mutation?: Mutation
}

export interface Task {
  readonly seed: number
  /** The cloud to play the seed on. Default: the cloud that the seed draws. */
  readonly cloud?: CloudName
}

export type TaskResult =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'broken'; readonly seed: number; readonly message: string }
