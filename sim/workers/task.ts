import type { CloudName } from '../runs/cloud-names.ts'
import type { Outcome } from '../simulate.ts'

/** One source file, changed by exact text while it is loaded. */
export interface Mutation {
  /** From the root of the repository. */
  readonly file: string
  /** Occurs exactly once. */
  readonly text: string
  readonly replacement: string
}

export interface WorkerSettings {
  readonly mutation?: Mutation
}

export interface Task {
  readonly seed: number
  /** The cloud to play it on, where that is not the one that it draws. */
  readonly cloud?: CloudName
}

export type TaskResult =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'broken'; readonly seed: number; readonly message: string }
