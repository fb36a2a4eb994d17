import { failureReport } from './report.ts'
import { drawRun } from './runs/draw-run.ts'
import type { CloudName, SimulatedRun } from './runs/simulated-run.ts'
import { shorten } from './shorten.ts'
import { type Outcome, simulate } from './simulate.ts'

/** Returns the run of a seed. `only` limits it to the steps with these ids, and `cloud` overrides the cloud that the seed determines. */
export const makeRun = (seed: number, only?: readonly string[], cloud?: CloudName): SimulatedRun => {
  const run = drawRun(seed, cloud)
  return only === undefined ? run : { ...run, steps: run.steps.filter(({ id }) => only.includes(id)) }
}

/** Finds the shortest run that violates the same invariant, and describes it. */
export const explainFailure = async ({ seed, cloud, violation }: Outcome): Promise<string> => {
  if (violation === undefined) return `seed ${seed} holds`
  const run = drawRun(seed, cloud)
  const short = await shorten(run, async (shorter) => {
    try {
      return (await simulate(shorter)).violation?.invariant === violation.invariant
    } catch {
      // This run fails in a different way, so it does not count.
      return false
    }
  })
  const again = await simulate(short)
  return failureReport(again.violation ?? violation, short, {
    steps: run.steps.length,
    isDrawn: drawRun(seed).cloud === cloud,
  })
}
