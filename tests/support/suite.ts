/**
 * Test files that are too expensive for `npm test`. `.ci/run` runs them when a change can affect them, `npm run nightly` always.
 * Every test file that is in no suite belongs to `npm test`.
 */
export interface Suite {
  readonly name: string
  /** What these files prove that no cheaper test does. */
  readonly proves: string
  /** Test files, or folders that end with a slash. */
  readonly files: readonly string[]
  /** Files of `files` that are cheap enough for `npm test`, or folders that end with a slash. */
  readonly except?: readonly string[]
  /** Files and folders (with a slash) that are read, built or started without an import. */
  readonly inputs: readonly string[]
  /** The files that a started program begins with: what they import counts like an import of the test. */
  readonly runs: readonly string[]
  /**
   * The folders below `providers/` whose code the suite runs. A change below the folder of another provider does not affect it. Without
   * this list, every provider affects it.
   */
  readonly providers?: readonly string[]
}

/** The file that the program `kerf` starts with. */
export const KERF = ['packages/cli/src/main.ts']
