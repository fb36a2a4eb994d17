/**
 * Test files that are too expensive for `npm test`. `.ci/run` runs them when a change can affect them, and `npm run nightly` always runs
 * them. A test file that is in no suite belongs to `npm test`.
 */
export interface Suite {
  readonly name: string
  /** The facts that these files prove and that no cheaper test proves. */
  readonly proves: string
  /** Test files, or folders (ending with a slash). */
  readonly files: readonly string[]
  /** The entries of `files` that are cheap enough for `npm test`: test files, or folders (ending with a slash). */
  readonly except?: readonly string[]
  /** Files and folders (ending with a slash) that the tests read, build or start without importing them. */
  readonly inputs: readonly string[]
  /** The main files of programs that the tests start. Files that these import count as imported by the tests. */
  readonly runs: readonly string[]
  /**
   * The folders below `providers/` whose code the suite uses. Changes in the folders of other providers do not affect the suite. If absent,
   * changes in any provider affect it.
   */
  readonly providers?: readonly string[]
}

/** The main file of the program `kerf`. */
export const KERF = ['packages/cli/src/main.ts']
