import type { Command } from 'commander'

/**
 * One `kerf` command. Its module imports little, and its action loads the rest when it runs, so that `kerf --help` and the other commands
 * start fast.
 */
export interface Verb {
  readonly name: string
  /** One line for `kerf --help`. */
  readonly summary: string
  /** Adds the command to the program: description, flags and action. */
  register(program: Command): void | Promise<void>
}
