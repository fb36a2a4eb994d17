import { tryParseDuration } from '@kerf/apis'
import { UsageError } from '@kerf/provider-kit/command-line'
import { terminalWidth } from '@kerf/provider-kit/terminal'
import { defaultFeatureGates } from '@kerf/runtime'
import { type InstanceTypesChoice, openTypes } from '../../cluster/instance-types.ts'
import { parseManifests } from '../../manifests/parse-manifests.ts'
import type { PlanStreams } from '../../plan/run-plan.ts'
import { knownProviders } from '../../providers.ts'
import { readTrace } from '../../simulate/read-trace.ts'
import { ProgressLine } from '../../terminal/progress-line.ts'
import { type PlanFolder, readPlan } from '../plan/read-plan.ts'
import { recordedText } from './recorded-report.ts'
import { rehearsalHtml, rehearsalProblems, rehearsalText } from './rehearsal-report.ts'
import { rehearseMigration } from './rehearse-migration.ts'
import { rehearseRecording } from './rehearse-recording.ts'

export interface RehearseOptions extends InstanceTypesChoice {
  readonly seed: number
  readonly output: 'table' | 'html' | 'json'
  /** A recording of `kerf record`, or a trace. */
  readonly trace?: string
  /** How much of the recording to replay, as a duration. */
  readonly for?: string
}

/** Reads the trace and parses the duration to replay. Called before the slow rehearsal, so that mistakes are reported early. */
const readPlayed = async ({ trace: file, for: asked }: RehearseOptions) => {
  if (file === undefined) {
    if (asked !== undefined) throw new UsageError('--for says how much of a recording is played: give --trace FILE too')
    return undefined
  }
  const trace = await readTrace(file)
  const text = asked ?? trace.recording?.span ?? '24h'
  const span = tryParseDuration(text)
  if (span === undefined || span <= 0) throw new UsageError(`--for ${text}: not a duration such as 24h or 90m`)
  return { trace, span }
}

/** Returns whether the cluster has CapacityBuffers, or gets them in place of pause pods. */
const hasBuffers = ({ files }: PlanFolder): boolean =>
  files.has('buffers.yaml') || /^kind: CapacityBuffer$/m.test(files.get('cluster.yaml') ?? '')

/** Chooses the instance types of the provider whose node classes the plan contains. */
const typesOfClasses = ({ files }: PlanFolder): InstanceTypesChoice => {
  const classes = files.get('nodeclasses.yaml') ?? ''
  const provider = knownProviders.find(
    ({ nodeClasses, instanceTypes }) =>
      instanceTypes !== undefined && nodeClasses.some(({ resource }) => classes.includes(resource.kind.kind)),
  )
  return provider === undefined ? {} : { instanceTypes: provider.name }
}

/** Runs `kerf migrate rehearse`. Connects to no cluster. Returns exit code 3 if the rehearsal finds a problem in the plan. */
export const runRehearse = async (path: string, options: RehearseOptions, streams: PlanStreams): Promise<0 | 3> => {
  const progress = new ProgressLine(streams.stderr)
  const folder = await readPlan(path)
  const played = await readPlayed(options)
  const pools = parseManifests(folder.files.get('nodepools.yaml') ?? '', 'nodepools.yaml').map(({ object }) => object)
  const opened = await openTypes({ ...typesOfClasses(folder), ...options }, pools)
  const settings = {
    seed: options.seed,
    instanceTypes: opened.types,
    featureGates: { ...defaultFeatureGates, CapacityBuffer: hasBuffers(folder) },
  }
  const show = (name: string): void => progress.show(`rehearsing: ${name}`)
  const rehearsal = await rehearseMigration(folder, settings, show)
  // If a phase of the plan fails, the recording cannot be replayed.
  const isPlayed = played !== undefined && rehearsal.phases.every(({ problem }) => problem === undefined)
  const time = isPlayed ? await rehearseRecording(folder, played.trace, played.span, settings, show) : undefined
  progress.clear()
  switch (options.output) {
    case 'table':
      streams.stdout.write(rehearsalText(rehearsal, terminalWidth(streams.stdout)))
      if (time !== undefined) streams.stdout.write(`\n${recordedText(time, terminalWidth(streams.stdout))}`)
      break
    case 'html':
      streams.stdout.write(rehearsalHtml(rehearsal, time))
      break
    case 'json':
      streams.stdout.write(
        `${JSON.stringify(time === undefined ? rehearsal : { ...rehearsal, recordedTime: time }, null, 2)}\n`,
      )
  }
  return rehearsalProblems(rehearsal).length === 0 ? 0 : 3
}
