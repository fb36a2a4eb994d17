import type { SimulatedRun, Step } from './runs/simulated-run.ts'

/** The limit of attempts. Each failing run may take the whole timeout of a simulation. */
const MOST_RUNS = 80

/**
 * Returns the fewest steps that still fail, by delta debugging: removes smaller and smaller parts of the run as long as the
 * other steps fail in the same way. At the end no single step can be removed, unless `most` attempts were not enough.
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
