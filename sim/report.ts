import type { Course, Step } from './course/course.ts'
import type { Violation } from './simulate.ts'

const line = (step: Step): string => {
  const what = step.by === 'people' ? step.doing : step.trouble
  const { kind, ...rest } = what
  return `  ${(step.at / 1_000).toFixed(3).padStart(8)} s  ${step.id.padEnd(4)}${kind}  ${JSON.stringify(rest)}`
}

/** What went wrong, the shortest course to it, and how to see it again. */
export const failureReport = (violation: Violation, course: Course, steps: number): string =>
  [
    `seed ${course.seed} violates ${violation.invariant} after ${(violation.at / 1_000).toFixed(3)} s: ${violation.problem}`,
    `  ${course.steps.length} of its ${steps} steps are enough, with the ${course.cloud} cloud and the pools ${course.pools.map(({ metadata }) => metadata.name).join(', ')}:`,
    ...course.steps.map(line),
    `  again: npm run sim -- --seed ${course.seed} --only ${course.steps.map(({ id }) => id).join(',') || 'none'} --trace`,
  ].join('\n')
