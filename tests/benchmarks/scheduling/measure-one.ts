/**
 * Measures one workload in a separate process, so that the cold run has no caches and the peak memory belongs to this workload alone:
 * `measure-one.ts NAME RUNS BUDGET`, where BUDGET is `off` or `on`. With 0 runs, only the first decision is made, so that its peak memory
 * does not include garbage of other runs. Prints one JSON line.
 */
import { prepare, warmUp } from '@kerf/engine'
import { findWorkload } from './workloads.ts'

/**
 * One complete decision, from the snapshot and pods to the plan. `wall` is in seconds of wall time. `cpu` is the main thread's processor
 * time in seconds, which other processes affect less.
 */
export interface Run {
  readonly wall: number
  readonly cpu: number
  /** The part of `wall` that was spent reading the snapshot and the pods. Upstream's recorded figures do not include such a part. */
  readonly preparing: number
}

/** The figures of one workload. Memory is in MiB. */
export interface Measurement {
  readonly workload: string
  readonly pods: number
  /** The first decision of the process. */
  readonly cold: Run
  /** Decisions after the warm-up that a controller performs when it starts. */
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
  // Creates new objects for each run, so that the engine cannot reuse results that it caches by object identity.
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
// Do not keep the plans, because their memory would add up over all runs.
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
