import type { ChangedFiles } from './changed-files.ts'
import type { Choice, Choices, Reason } from './choose.ts'

const reasonText = (reason: Reason): string => {
  switch (reason.kind) {
    case 'changed':
      return 'it changed'
    case 'input':
      return `it reads ${reason.path}`
    case 'import':
      return `it runs ${reason.path} (${reason.distance} imports away)`
    case 'rotation':
      return 'its turn: a tenth of the files that are not affected'
  }
}

const line = ({ file, suite, reason, wallSeconds }: Choice): string =>
  `  ${wallSeconds.toFixed(0).padStart(4)} s  ${file} (${suite.name}): ${reasonText(reason)}`

const SHOWN = 20
const list = (lines: readonly string[]): readonly string[] =>
  lines.length <= SHOWN ? lines : [...lines.slice(0, SHOWN), `  … and ${lines.length - SHOWN} more`]

/**
 * Returns a summary of the choice: the base, the changes, the test files that run with their reasons, and the test files that only the
 * nightly run includes.
 */
export const choiceText = (changed: ChangedFiles, choices: Choices, budgetSeconds: number): string => {
  const { base, paths, withoutEffect } = changed
  const left = choices.leftToNightly.filter(({ reason }) => reason.kind !== 'rotation')
  return [
    `base: ${base.commit.slice(0, 12)} (${base.why}); ${paths.length} changed files, ${withoutEffect.length} more without effect (moved, comments, types)`,
    ...list(paths.map((path) => `  ${path}`)),
    `beyond npm test: ${choices.chosen.length} expensive test files, ${Math.max(0, budgetSeconds).toFixed(0)} s are left for them:`,
    ...choices.chosen.map(line),
    ...(left.length === 0
      ? []
      : [
          `the change can affect ${left.length} more, which the time does not hold; npm run nightly must run them:`,
          ...left.map(line),
        ]),
    '',
  ].join('\n')
}
