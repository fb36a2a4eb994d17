/**
 * Measures one workload in a process of its own, so that the cold figure is cold and the peak memory its own:
 * `measure-one.ts NAME RUNS BUDGET`, where BUDGET is `off` or `on`. With 0 runs only the first decision is taken: its peak
 * memory is that of one decision, not of the garbage of many. Prints one JSON line.
 */
import { prepare, warmUp } from '@kerf/engine'
import { findWorkload } from './workloads.ts'

/**
 * One whole decision, from snapshot and pods to the plan: seconds on the clock, and seconds that the main thread computed,
 * which other processes disturb less.
 */
export interface Run {
  readonly wall: number
  readonly cpu: number
  /** The part of `wall` that read the snapshot and the pods. Upstream's recorded figures leave that part out. */
  readonly preparing: number
}

/** One workload's figures; memory in MiB. */
export interface Measurement {
  readonly workload: string
  readonly pods: number
  /** The first decision of the process. */
  readonly cold: Run
  /** Decisions after the warm-up that a controller does at its start. */
  readonly warm: readonly Run[]
  readonly peakMemory: number
  readonly claims: number
  readonly unschedulable: number
  readonly hourlyCost: number
  readonly steps: number
}

const computed = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e6
}

const [name = '', runs = '5', budget = 'off'] = process.argv.slice(2)
const workload = findWorkload(name)
const once = async () => {
  // A fresh question each time: nothing that the engine remembers by identity can carry over from run to run.
  const { snapshot, pods, options } = await workload.make()
  const before = computed()
  const start = performance.now()
  const decision = prepare(snapshot, pods, { ...options, ...(budget === 'off' ? { planBudget: 0 } : {}) })
  const preparing = (performance.now() - start) / 1000
  const plan = decision.decide()
  const wall = (performance.now() - start) / 1000
  const run: Run = { wall, cpu: computed() - before, preparing }
  return { run, plan, pods: pods.length }
}

const first = await once()
if (runs !== '0') warmUp()
// The plans are let go at once, or the memory of all runs would count as one's.
const warm: Run[] = []
for (let number = 0; number < Number(runs); number++) warm.push((await once()).run)
const measurement: Measurement = {
  workload: name,
  pods: first.pods,
  cold: first.run,
  warm,
  peakMemory: process.resourceUsage().maxRSS / 1024,
  claims: first.plan.claims.length,
  unschedulable: first.plan.unschedulable.length,
  hourlyCost: first.plan.hourlyCost,
  steps: first.plan.steps,
}
process.stdout.write(`${JSON.stringify(measurement)}\n`)
