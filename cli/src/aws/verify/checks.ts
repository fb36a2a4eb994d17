/** What one check found. */
export interface CheckResult {
  readonly check: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** What was seen, or why it was left out. */
  readonly seen: string
}

const MARKS = { passed: 'ok', failed: 'FAILED', skipped: 'skipped' } as const

export const resultLine = ({ check, outcome, seen }: CheckResult): string =>
  `${MARKS[outcome].padEnd(8)}${check}: ${seen}`
