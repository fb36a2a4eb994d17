import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import { runPhase } from '../apply/run-phase.ts'
import type { PlanFolder } from '../plan/read-plan.ts'
import type { RehearsalCounts, RehearsalSample } from './rehearsal-watch.ts'
import { type RehearsedBuffer, rehearsedBuffers } from './rehearsed-buffers.ts'
import { type RehearsalOptions, RehearsedCluster } from './rehearsed-cluster.ts'

/** The result of one phase of a rehearsal. */
export interface RehearsedPhase extends RehearsalCounts {
  readonly phase: number
  readonly name: string
  readonly duration: Milliseconds
  /** Hourly cost at the end of the phase. */
  readonly hourlyCost: UsdPerHour
  readonly peakCost: UsdPerHour
  readonly nodes: number
  readonly groupNodes: number
  readonly waitingAtEnd: number
  readonly problem?: string
}

export interface Rehearsal {
  readonly seed: number
  readonly before: { readonly hourlyCost: UsdPerHour; readonly nodes: number; readonly waiting: number }
  readonly phases: readonly RehearsedPhase[]
  /** The state after the last phase, once the cluster has settled. */
  readonly after: {
    readonly hourlyCost: UsdPerHour
    readonly nodes: number
    readonly groupNodes: number
    /** Number of nodes in the groups that are kept. */
    readonly keptNodes: number
    readonly waiting: number
  }
  readonly peakCost: UsdPerHour
  /** The cluster's CapacityBuffers, including those that replace pause pods. */
  readonly buffers: readonly RehearsedBuffer[]
  readonly samples: readonly RehearsalSample[]
}

/** Long enough for Cluster Autoscaler to remove nodes that it launched unnecessarily, in milliseconds. */
export const SETTLED: Milliseconds = 45 * 60_000
const BETWEEN: Milliseconds = 20 * 60_000

const nodeCount = (groups: RehearsedCluster['groups']): number => groups.reduce((sum, { size }) => sum + size, 0)

/** Runs the phases of a plan in order, in virtual time. Stops at the first phase that fails, and reports why. */
export const rehearseMigration = async (
  folder: PlanFolder,
  options: RehearsalOptions,
  onPhase: (name: string) => void = () => {},
): Promise<Rehearsal> => {
  const rehearsed = new RehearsedCluster(folder, options)
  try {
    onPhase('before')
    await rehearsed.begin()
    await rehearsed.pass(SETTLED)
    const start = rehearsed.watch.sample()
    rehearsed.watch.take()
    rehearsed.startKerf()
    const phases: RehearsedPhase[] = []
    for (const { phase, name } of folder.plan.phases) {
      onPhase(name)
      const began = rehearsed.clock.now()
      const first = rehearsed.watch.samples.length
      const problem = await rehearsed.drive(runPhase(rehearsed.tools(), phase)).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      await rehearsed.pass(BETWEEN)
      const last = rehearsed.watch.sample()
      const own = rehearsed.watch.samples.slice(first)
      phases.push({
        phase,
        name,
        duration: rehearsed.clock.now() - began,
        hourlyCost: last.hourlyCost,
        peakCost: Math.max(...own.map(({ hourlyCost }) => hourlyCost)),
        nodes: last.nodes,
        groupNodes: nodeCount(rehearsed.groups),
        waitingAtEnd: last.waiting,
        ...rehearsed.watch.take(),
        ...(problem === undefined ? {} : { problem }),
      })
      if (problem !== undefined) break
    }
    await rehearsed.pass(SETTLED)
    const end = rehearsed.watch.sample()
    return {
      seed: options.seed,
      before: { hourlyCost: start.hourlyCost, nodes: start.nodes, waiting: start.waiting },
      phases,
      after: {
        hourlyCost: end.hourlyCost,
        nodes: end.nodes,
        groupNodes: nodeCount(rehearsed.groups),
        keptNodes: nodeCount(rehearsed.kept),
        waiting: end.waiting,
      },
      peakCost: Math.max(...phases.map(({ peakCost }) => peakCost)),
      buffers: await rehearsedBuffers(rehearsed.admin),
      samples: rehearsed.watch.samples,
    }
  } finally {
    rehearsed.stop()
  }
}
