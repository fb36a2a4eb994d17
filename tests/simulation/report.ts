import type { Violation } from './invariant-checks.ts'
import { type SimulatedRun, type Step, stepAction } from './runs/simulated-run.ts'

const line = (step: Step): string => {
  const { kind, ...fields } = stepAction(step)
  return `  ${(step.at / 1_000).toFixed(3).padStart(8)} s  ${step.id.padEnd(4)}${kind}  ${JSON.stringify(fields)}`
}

/** Returns the violation, the shortest run that reveals it, and the command that repeats it. */
export const failureReport = (
  violation: Violation,
  run: SimulatedRun,
  { steps, isDrawn }: { readonly steps: number; readonly isDrawn: boolean },
): string =>
  [
    `seed ${run.seed} violates ${violation.invariant} after ${(violation.at / 1_000).toFixed(3)} s: ${violation.problem}`,
    `  ${run.steps.length} of its ${steps} steps are enough, with the ${run.cloud} cloud and the pools ${run.pools.map(({ metadata }) => metadata.name).join(', ')}:`,
    ...run.steps.map(line),
    `  again: npm run sim -- --seed ${run.seed}${isDrawn ? '' : ` --cloud ${run.cloud}`} --only ${run.steps.map(({ id }) => id).join(',') || 'none'} --trace`,
  ].join('\n')
