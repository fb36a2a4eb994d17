/** The result of one check of a provider's `verify` command, such as `kerf aws verify`. */
export interface CheckResult {
  readonly check: string
  readonly outcome: 'passed' | 'warning' | 'failed' | 'skipped'
  /** The finding of the check, or the reason why it was skipped. */
  readonly seen: string
  /** The object that was checked. */
  readonly object?: string
  /** What the user must do. Absent if there is nothing to do. */
  readonly remedy?: string
}

const MARKS = { passed: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const
const INDENT = ' '.repeat(8)

/** Returns the result as text. The check is on the first line, the object and the remedy are on separate lines below. */
export const resultLine = ({ check, outcome, seen, object, remedy }: CheckResult): string =>
  [
    `${MARKS[outcome].padEnd(INDENT.length)}${check}: ${seen}`,
    ...(object === undefined ? [] : [`${INDENT}${object}`]),
    ...(remedy === undefined ? [] : [`${INDENT}do: ${remedy}`]),
  ].join('\n')

const summaryLine = (results: readonly CheckResult[]): string => {
  const count = (outcome: CheckResult['outcome']): number => results.filter((each) => each.outcome === outcome).length
  return `${results.length} checks: ${count('passed')} passed, ${count('warning')} warnings, ${count('failed')} failed, ${count('skipped')} skipped; nothing was changed`
}

/**
 * Returns the output of a read-only `verify` command, without the final line break: either the results and their number, or a JSON document
 * with the fields of `head` and the results.
 */
export const resultsText = (output: 'table' | 'json', head: object, results: readonly CheckResult[]): string =>
  output === 'json'
    ? JSON.stringify({ ...head, checks: results }, null, 2)
    : [...results.map(resultLine), '', summaryLine(results)].join('\n')
