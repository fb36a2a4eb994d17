import type { KubeObject, Milliseconds, UsdPerHour } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import type { Trace } from '../../simulate/trace.ts'
import { traceSteps } from '../../simulate/trace-steps.ts'
import { runPhase } from '../apply/run-phase.ts'
import type { PlanFolder } from '../plan/read-plan.ts'
import { RecordingReplay } from './recording-replay.ts'
import type { RehearsalCounts } from './rehearsal-watch.ts'
import { SETTLED } from './rehearse-migration.ts'
import { type RehearsalOptions, RehearsedCluster } from './rehearsed-cluster.ts'

/** The result of replaying the recording in a cluster after one phase. */
export interface SimulatedPhase extends RehearsalCounts {
  /** Number of the phase. Absent for the cluster before the migration. */
  readonly phase?: number
  readonly name: string
  /** Total cost over the recorded time, in USD. */
  readonly cost: number
  readonly peakCost: UsdPerHour
  /** Average number of nodes. */
  readonly nodes: number
  /** The total time that pods spent without a node, in hours. */
  readonly podHoursWaiting: number
}

export interface RecordedTime {
  readonly span: Milliseconds
  /** Nodes and pods according to the recording itself. The recording contains no prices. Absent if the trace was written by hand. */
  readonly recorded?: { readonly from: string; readonly nodes: number; readonly podHoursWaiting: number }
  readonly phases: readonly SimulatedPhase[]
  /** Workloads in the recording that are not in `cluster.yaml`. The plan does not move them, so they are replayed as recorded. */
  readonly notInPlan: readonly string[]
  /** Messages of the simulated API server about events that it refused. */
  readonly refused: readonly string[]
}

const HOUR: Milliseconds = 3_600_000

/** Returns whether the phase changes which nodes are launched or removed. If it does not, its cost is the same as in the previous phase. */
const changesCluster = ({ steps }: PlanFolder['plan']['phases'][number]): boolean =>
  steps.some((step) => step.do === 'apply' || step.do === 'patch' || step.do === 'drain' || step.do === 'cordon')

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

const recordedFacts = ({ recording }: Trace, span: Milliseconds): RecordedTime['recorded'] => {
  if (recording === undefined) return undefined
  const samples = recording.samples.filter(([minute]) => minute * 60_000 <= span)
  return {
    from: recording.from,
    nodes: mean(samples.map(([, nodes]) => nodes)),
    podHoursWaiting: mean(samples.map(([, , , pending]) => pending)) * (span / HOUR),
  }
}

/**
 * Replays the recording in the cluster before the migration and after each phase that changes the cluster. Returns the costs of each
 * replay. Each replay runs in a separate cluster.
 */
export const rehearseRecording = async (
  folder: PlanFolder,
  trace: Trace,
  span: Milliseconds,
  options: RehearsalOptions,
  onPhase: (name: string) => void = () => {},
): Promise<RecordedTime> => {
  const notInPlan = new Set<string>()
  const refused = new Set<string>()
  const played: SimulatedPhase[] = []
  const { phases } = folder.plan
  for (const last of [undefined, ...phases.filter(changesCluster)]) {
    onPhase(last === undefined ? 'the recording, before' : `the recording, after phase ${last.phase}`)
    const rehearsed = new RehearsedCluster(folder, options)
    try {
      await rehearsed.begin()
      await rehearsed.pass(SETTLED)
      const done = last === undefined ? [] : phases.filter(({ phase }) => phase <= last.phase)
      if (last !== undefined) rehearsed.startKerf()
      for (const { phase } of done) await rehearsed.drive(runPhase(rehearsed.tools(), phase))
      const replay = new RecordingReplay(rehearsed, folder.plan, done, new SeededRandom(options.seed).fork('trace'))
      for (const name of await replay.begin((trace.objects ?? []) as readonly KubeObject[], trace.events ?? []))
        notInPlan.add(name)
      await rehearsed.pass(SETTLED)
      rehearsed.watch.take()
      const first = rehearsed.watch.samples.length
      await replay.play(traceSteps(trace, span, new SeededRandom(options.seed).fork('curves')), span)
      const samples = rehearsed.watch.samples.slice(first)
      played.push({
        ...(last === undefined ? {} : { phase: last.phase }),
        name: last?.name ?? 'before',
        cost: mean(samples.map(({ hourlyCost }) => hourlyCost)) * (span / HOUR),
        peakCost: Math.max(...samples.map(({ hourlyCost }) => hourlyCost)),
        nodes: mean(samples.map(({ nodes }) => nodes)),
        podHoursWaiting: mean(samples.map(({ waiting }) => waiting)) * (span / HOUR),
        ...rehearsed.watch.take(),
      })
      for (const line of replay.refused) refused.add(line)
    } finally {
      rehearsed.stop()
    }
  }
  const recorded = recordedFacts(trace, span)
  return {
    span,
    ...(recorded === undefined ? {} : { recorded }),
    phases: played,
    notInPlan: [...notInPlan].sort(),
    refused: [...refused],
  }
}
