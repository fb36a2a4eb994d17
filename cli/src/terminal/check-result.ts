/** What one check of `kerf aws verify` or `kerf azure verify` found. */
export interface CheckResult {
  readonly check: string
  readonly outcome: 'passed' | 'warning' | 'failed' | 'skipped'
  /** What was seen, or why it was left out. */
  readonly seen: string
  /** What was looked at. */
  readonly object?: string
  /** What to do; absent where nothing has to be done. */
  readonly remedy?: string
}

const MARKS = { passed: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const
const INDENT = ' '.repeat(8)

/** The check on a line, with the object on the next, and what to do on one more. */
export const resultLine = ({ check, outcome, seen, object, remedy }: CheckResult): string =>
  [
    `${MARKS[outcome].padEnd(INDENT.length)}${check}: ${seen}`,
    ...(object === undefined ? [] : [`${INDENT}${object}`]),
    ...(remedy === undefined ? [] : [`${INDENT}do: ${remedy}`]),
  ].join('\n')
