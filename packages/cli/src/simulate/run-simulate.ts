import { basename } from 'node:path'
import { type KubeObject, labels, parseTime, tryParseDuration } from '@kerf/apis'
import type { CommitmentSpec } from '@kerf/controllers'
import type { InstanceType, Offering } from '@kerf/engine'
import { singleValues } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { styleFor } from '@kerf/provider-kit/terminal'
import { defaultFeatureGates, SeededRandom } from '@kerf/runtime'
import { openTypes } from '../cluster/instance-types.ts'
import { foreignPricesNote } from '../cluster/opened-types.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { readManifests } from '../manifests/read-manifests.ts'
import { validateManifests } from '../manifests/validate-manifests.ts'
import { commitmentNotes, commitmentSpecsIn, discountsIn, pricing } from '../plan/commitments.ts'
import { isClusterPolicy, plannedPrices, priceBookNotes } from '../plan/price-book.ts'
import { counted } from '../terminal/amounts.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { vocabularyFor } from '../vocabulary.ts'
import { withoutHooks } from '../workloads/helm-hooks.ts'
import { prepareManifests, withOverrides, withPools } from './prepare-manifests.ts'
import { readTrace } from './read-trace.ts'
import { replayCommand } from './replay-command.ts'
import { reportHtml } from './report-html.ts'
import { reportTable } from './report-table.ts'
import type { SimulationResult } from './result.ts'
import type { SimulateOptions } from './simulate-options.ts'
import { runSimulation } from './simulation.ts'
import { type Recording, type Trace, traceSchema } from './trace.ts'
import { unofferedInTrace } from './trace-market.ts'
import { lateEvents, traceSteps } from './trace-steps.ts'
import { withoutEffect } from './without-effect.ts'

interface Stream {
  write(text: string): unknown
  readonly isTTY?: boolean
}

export interface SimulateStreams {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly env: Readonly<Record<string, string | undefined>>
  /** Returns the real time in milliseconds, for the progress line. */
  readonly now: () => number
}

interface Setting {
  readonly name: string
  readonly manifests: readonly Manifest[]
}

const settingsOf = async (
  options: SimulateOptions,
  manifests: readonly Manifest[],
  warn: (line: string) => void,
): Promise<readonly Setting[]> => {
  if (options.compare === undefined) return [{ name: 'simulated', manifests }]
  const [a, b, ...more] = options.compare
  if (a === undefined || b === undefined || more.length > 0)
    throw new UsageError('--compare takes two files: --compare A.yaml B.yaml')
  const settings: Setting[] = []
  for (const file of [a, b]) {
    const pools = await readManifests([file], { repeated: warn })
    if (!pools.some(({ object }) => object.kind === 'NodePool'))
      throw new UsageError(`${file}: has no NodePool to compare`)
    settings.push({ name: basename(a) === basename(b) ? file : basename(file), manifests: withPools(manifests, pools) })
  }
  return settings
}

const print = (
  results: readonly SimulationResult[],
  recording: Recording | undefined,
  options: SimulateOptions,
  streams: SimulateStreams,
): void => {
  switch (options.output) {
    case 'json':
      streams.stdout.write(`${JSON.stringify(results.length === 1 ? results[0] : results, null, 2)}\n`)
      return
    case 'html':
      streams.stdout.write(reportHtml(results, recording, replayCommand(options)))
      return
    case 'table':
      streams.stdout.write(reportTable(results, recording, styleFor(streams.stdout, streams.env)))
  }
}

/** Returns the objects of a recording as manifests, with the path of the recording's file. */
const recordedManifests = ({ objects = [] }: Trace, file = ''): readonly Manifest[] =>
  // `readTrace` has checked that these objects have a kind and a name.
  objects.map((object) => ({ object: object as KubeObject, file, line: 0 }))

/**
 * Returns the manifests in the form that the simulated cluster accepts. Prints how many objects were left out because the cluster creates
 * them itself.
 */
const preparedSetting = (manifests: readonly Manifest[], streams: SimulateStreams): readonly Manifest[] => {
  const prepared = prepareManifests(manifests)
  if (!prepared.manifests.some(({ object }) => object.kind === 'NodePool'))
    throw new UsageError('the manifests have no NodePool, so no node could ever be launched')
  if (prepared.leftOut > 0)
    streams.stderr.write(
      `${prepared.leftOut === 1 ? '1 object is' : `${prepared.leftOut} objects are`} ignored: the simulated cluster creates its own Nodes, NodeClaims and owned pods\n`,
    )
  return prepared.manifests
}

/**
 * Returns the manifests with all prepaid commitments in the ClusterPolicy, because the simulated cluster has no source from which it could
 * read them. The discounts are left out, because the prices of the simulated cloud already include them.
 */
const withPrepaidOnly = (manifests: readonly Manifest[], specs: readonly CommitmentSpec[]): readonly Manifest[] =>
  manifests.map((manifest) => {
    const { object } = manifest
    if (!isClusterPolicy(object)) return manifest
    const { commitments: _, commitmentSource: __, ...spec } = object.spec
    const prepaid = specs.filter((each) => each.discount === undefined)
    return {
      ...manifest,
      object: { ...object, spec: { ...spec, ...(prepaid.length === 0 ? {} : { commitments: prepaid }) } },
    }
  })

/** Prints which objects and changes a simulation left out or refused. */
const warnOfOmissions = ({ name, refused, leftOut }: SimulationResult, streams: SimulateStreams): void => {
  const [foreign, ...others] = leftOut
  if (foreign !== undefined) {
    const many = others.length === 0 ? '' : ` and ${others.length} more`
    streams.stderr.write(
      `${name}: ignored: ${foreign}${many}, of API groups that the simulated cluster does not have\n`,
    )
  }
  if (refused.length === 0) return
  const many =
    refused.length === 1
      ? '1 event of the trace was rejected'
      : `${refused.length} events of the trace were rejected, the first`
  streams.stderr.write(`${name}: ${many}: ${refused[0]}\n`)
}

/** Runs `kerf simulate`. Contacts no cluster. The same files and seed give the same result. */
export const runSimulate = async (options: SimulateOptions, streams: SimulateStreams): Promise<void> => {
  if (options.schema) {
    streams.stdout.write(`${JSON.stringify(traceSchema, null, 2)}\n`)
    return
  }
  if (options.filename.length === 0 && options.trace === undefined)
    throw new UsageError('name the manifests to simulate with -f; for example: -f examples/simulate')
  const progress = new ProgressLine(streams.stderr)
  progress.show('reading')
  const trace: Trace = options.trace === undefined ? {} : await readTrace(options.trace)
  const asked = options.for ?? trace.recording?.span ?? '24h'
  const span = tryParseDuration(asked)
  if (span === undefined || span <= 0) throw new UsageError(`--for ${asked}: not a duration such as 24h or 90m`)
  const warn = (line: string): unknown => streams.stderr.write(`${line}\n`)
  const { manifests: given, note: hooks } = withoutHooks(
    options.filename.length === 0 ? [] : await readManifests(options.filename, { repeated: warn, skipped: warn }),
  )
  if (hooks !== undefined) warn(hooks)
  const recorded = recordedManifests(trace, options.trace)
  const objects = withOverrides(recorded, given).map(({ object }) => object)
  const opened = await openTypes(options, objects)
  const instanceTypes: readonly InstanceType[] = opened.types
  const { validate = 'warn' } = options
  const read = withOverrides(
    recorded,
    validateManifests(given, vocabularyFor(objects, instanceTypes), { validate, warn }),
  )
  for (const note of [opened.regionNote, foreignPricesNote(opened)])
    if (note !== undefined) streams.stderr.write(`${note}\n`)
  const unpriced = instanceTypes.filter(({ offerings }) => offerings.some(({ price }) => price === undefined)).length
  if (unpriced > 0)
    streams.stderr.write(
      `${counted(unpriced, 'instance type')} ${unpriced === 1 ? 'has' : 'have'} no known price: costs do not include ${unpriced === 1 ? 'its' : 'their'} nodes\n`,
    )
  const unknown = trace.recording === undefined ? undefined : unknownNames(trace.recording, instanceTypes)
  if (unknown !== undefined) streams.stderr.write(`${unknown}\n`)
  const from = parseTime(trace.recording?.from)
  const unoffered = unofferedInTrace(trace, instanceTypes)
  if (unoffered !== undefined) throw new UsageError(`${options.trace}: ${unoffered}`)
  const late = options.for === undefined && trace.recording === undefined ? lateEvents(trace, span) : 0
  if (late > 0)
    streams.stderr.write(
      `${late === 1 ? '1 event of the trace comes' : `${late} events of the trace come`} after ${asked}, when the simulation ends: see --for\n`,
    )
  const steps = traceSteps(trace, span, new SeededRandom(options.seed).fork('load'))
  const { featureGates = defaultFeatureGates } = options
  const results: SimulationResult[] = []
  for (const { name, manifests } of await settingsOf(options, read, warn)) {
    const prepared = preparedSetting(manifests, streams)
    const objects = manifests.map(({ object }) => object)
    const specs = commitmentSpecsIn(objects)
    const discounts = discountsIn(objects)
    const book = plannedPrices(objects, undefined, discounts)
    for (const note of [...priceBookNotes(book), ...commitmentNotes(objects)]) streams.stderr.write(`${note}\n`)
    const begun = streams.now()
    results.push(
      await runSimulation({
        name,
        manifests: specs.length === 0 ? prepared : withPrepaidOnly(prepared, specs),
        instanceTypes: pricing(book, discounts)(instanceTypes),
        steps,
        seed: options.seed,
        span,
        featureGates,
        ...(options.nodeOverheadCost === undefined ? {} : { nodeOverheadCost: options.nodeOverheadCost }),
        ...(options.planExpectedPods === undefined ? {} : { planExpectedPods: options.planExpectedPods }),
        ...(from === undefined ? {} : { from }),
        onProgress: (done) =>
          progress.bar(
            `simulating ${name}, minutes`,
            Math.round(done / 60_000),
            Math.round(span / 60_000),
            streams.now() - begun,
          ),
      }),
    )
    progress.clear()
    for (const line of withoutEffect(prepared, featureGates))
      streams.stderr.write(`${options.compare === undefined ? '' : `${name}: `}${line}\n`)
  }
  for (const result of results) warnOfOmissions(result, streams)
  print(results, trace.recording, options, streams)
}

/** Returns a problem if instance types or zones in the recording are unknown. Pods that need them would stay pending. */
const unknownNames = (recording: Recording, instanceTypes: readonly InstanceType[]): string | undefined => {
  const types = new Set(instanceTypes.map(({ name }) => name))
  const zones = new Set(instanceTypes.flatMap(({ offerings }) => offerings.flatMap((offering) => zoneOf(offering))))
  const unknown = [
    ...recording.instanceTypes.filter((type) => !types.has(type)),
    ...recording.zones.filter((zone) => !zones.has(zone)),
  ]
  if (unknown.length === 0) return undefined
  const named = unknown.slice(0, 3).join(', ')
  return `the recorded cluster has ${named}${unknown.length > 3 ? ` and ${unknown.length - 3} more` : ''}, which the simulated cloud does not offer; pods that need them will stay pending: choose the instance types with --instance-types`
}

const zoneOf = ({ requirements }: Offering): readonly string[] => {
  const zone = singleValues(requirements)[labels.zone]
  return zone === undefined ? [] : [zone]
}
