/** The result of one check of a provider's `verify` command, such as `kerf aws verify`. */
export interface CheckResult {
  readonly check: string
  readonly outcome: 'passed' | 'warning' | 'failed' | 'skipped'
  /** What the check found, or why it was skipped. */
  readonly seen: string
  /** The object that was checked. */
  readonly object?: string
  /** What to do. Absent if there is nothing to do. */
  readonly remedy?: string
}

const MARKS = { passed: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const
const INDENT = ' '.repeat(8)

/** Returns the result as text: the check on the first line, and the object and the remedy on separate lines below. */
export const resultLine = ({ check, outcome, seen, object, remedy }: CheckResult): string =>
  [
    `${MARKS[outcome].padEnd(INDENT.length)}${check}: ${seen}`,
    ...(object === undefined ? [] : [`${INDENT}${object}`]),
    ...(remedy === undefined ? [] : [`${INDENT}do: ${remedy}`]),
  ].join('\n')
