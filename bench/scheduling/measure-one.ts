/**
 * Measures one workload in a process of its own, so that the cold figure is cold and the peak memory its own:
 * `measure-one.ts NAME RUNS BUDGET`, where BUDGET is `off` or `on`. Prints one JSON line.
 */
import { prepare } from '@kerf/engine'
import { findWorkload } from './workloads.ts'

/** One workload's figures, in seconds and MiB. */
export interface Measurement {
  readonly workload: string
  readonly pods: number
  readonly cold: number
  readonly warm: readonly number[]
  /** Reading snapshot and pods, which upstream's figures leave out as well. */
  readonly preparing: readonly number[]
  readonly peakMemory: number
  readonly claims: number
  readonly unschedulable: number
  readonly hourlyCost: number
  readonly steps: number
}

const [name = '', runs = '5', budget = 'off'] = process.argv.slice(2)
const workload = findWorkload(name)
const once = () => {
  // A fresh question each time: nothing that the engine remembers by identity can carry over from run to run.
  const { snapshot, pods, options } = workload.make()
  const begin = performance.now()
  const decision = prepare(snapshot, pods, { ...options, ...(budget === 'off' ? { planBudget: 0 } : {}) })
  const prepared = performance.now()
  const plan = decision.decide()
  return {
    preparing: (prepared - begin) / 1000,
    seconds: (performance.now() - prepared) / 1000,
    plan,
    pods: pods.length,
  }
}

const first = once()
// The plans are let go at once, or the memory of all runs would count as one's.
const warm = Array.from({ length: Number(runs) }, () => {
  const { seconds, preparing } = once()
  return { seconds, preparing }
})
const measurement: Measurement = {
  workload: name,
  pods: first.pods,
  cold: first.seconds,
  warm: warm.map(({ seconds }) => seconds),
  preparing: warm.map(({ preparing }) => preparing),
  peakMemory: process.resourceUsage().maxRSS / 1024,
  claims: first.plan.claims.length,
  unschedulable: first.plan.unschedulable.length,
  hourlyCost: first.plan.hourlyCost,
  steps: first.plan.steps,
}
process.stdout.write(`${JSON.stringify(measurement)}\n`)
