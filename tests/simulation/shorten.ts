import type { SimulatedRun, Step } from './runs/simulated-run.ts'

/** The maximum number of attempts. Each failing run may take as long as the timeout of a simulation. */
const MOST_RUNS = 80

/**
 * Returns the smallest list of steps that still fails, found by delta debugging: it removes smaller and smaller groups of steps as long as
 * the remaining steps fail in the same way. If fewer than `most` attempts are needed, no single step of the result can be removed.
 */
export const shorten = async (
  run: SimulatedRun,
  fails: (run: SimulatedRun) => Promise<boolean>,
  most = MOST_RUNS,
): Promise<SimulatedRun> => {
  let runs = 0
  const without = (steps: readonly Step[]): SimulatedRun => ({ ...run, steps })
  let steps = run.steps
  for (let size = Math.ceil(steps.length / 2); size >= 1; ) {
    let hasShrunk = false
    for (let start = 0; start < steps.length && runs < most; ) {
      runs++
      const rest = [...steps.slice(0, start), ...steps.slice(start + size)]
      if (await fails(without(rest))) {
        steps = rest
        hasShrunk = true
      } else start += size
    }
    if (size === 1 && !hasShrunk) break
    size = size === 1 ? 1 : Math.ceil(size / 2)
  }
  return without(steps)
}
