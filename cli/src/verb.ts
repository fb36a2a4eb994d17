import type { Command } from 'commander'

/**
 * One `kerf` command. Its file imports little: the action imports what it needs, so that `kerf --help` and
 * every other verb start at once.
 */
export interface Verb {
  readonly name: string
  /** One line for `kerf --help`. */
  readonly summary: string
  /** Adds the command to the program: description, flags and action. */
  register(program: Command): void | Promise<void>
}
