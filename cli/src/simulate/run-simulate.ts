import { basename } from 'node:path'
import { tryParseDuration } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { loadCatalogue } from '@kerf/provider-kwok'
import { SeededRandom } from '@kerf/runtime'
import { CliError, UsageError } from '../cli-error.ts'
import { type Manifest, readManifests } from '../manifests/read-manifests.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { styleFor } from '../terminal/style.ts'
import { prepareManifests, withPools } from './prepare-manifests.ts'
import { readTrace } from './read-trace.ts'
import { reportHtml } from './report-html.ts'
import { reportTable } from './report-table.ts'
import type { SimulationResult } from './result.ts'
import { runSimulation } from './simulation.ts'
import { type Trace, traceSchema } from './trace.ts'
import { traceSteps } from './trace-steps.ts'

export interface SimulateOptions {
  readonly filename: readonly string[]
  readonly trace?: string
  readonly seed: number
  readonly for: string
  readonly output: 'table' | 'json' | 'html'
  readonly compare?: readonly string[]
  readonly instanceTypes?: string
  readonly schema: boolean
}

interface Stream {
  write(text: string): unknown
  readonly isTTY?: boolean
}

export interface SimulateStreams {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds of real time, for the progress line. */
  readonly now: () => number
}

interface Setting {
  readonly name: string
  readonly manifests: readonly Manifest[]
}

const settingsOf = async (options: SimulateOptions, manifests: readonly Manifest[]): Promise<readonly Setting[]> => {
  if (options.compare === undefined) return [{ name: 'simulated', manifests }]
  const [a, b, ...more] = options.compare
  if (a === undefined || b === undefined || more.length > 0)
    throw new UsageError('--compare takes two files: --compare A.yaml B.yaml')
  const settings: Setting[] = []
  for (const file of [a, b]) {
    const pools = await readManifests([file])
    if (!pools.some(({ object }) => object.kind === 'NodePool'))
      throw new CliError(`${file}: has no NodePool to compare`)
    settings.push({ name: a === b ? file : basename(file), manifests: withPools(manifests, pools) })
  }
  return settings
}

const print = (results: readonly SimulationResult[], options: SimulateOptions, streams: SimulateStreams): void => {
  switch (options.output) {
    case 'json':
      streams.stdout.write(`${JSON.stringify(results.length === 1 ? results[0] : results, null, 2)}\n`)
      return
    case 'html':
      streams.stdout.write(reportHtml(results, `kerf simulate --seed ${options.seed} --for ${options.for}`))
      return
    case 'table':
      streams.stdout.write(reportTable(results, styleFor(streams.stdout, streams.env)))
  }
}

/** `kerf simulate`. Touches no cluster; the same files and seed give the same answer. */
export const runSimulate = async (options: SimulateOptions, streams: SimulateStreams): Promise<void> => {
  if (options.schema) {
    streams.stdout.write(`${JSON.stringify(traceSchema, null, 2)}\n`)
    return
  }
  if (options.filename.length === 0)
    throw new UsageError('name the manifests to simulate with -f; for example: -f examples/simulate')
  const span = tryParseDuration(options.for)
  if (span === undefined || span <= 0)
    throw new UsageError(`--for ${options.for}: not a span of time such as 24h or 90m`)
  const progress = new ProgressLine(streams.stderr)
  const read = await readManifests(options.filename)
  const trace: Trace = options.trace === undefined ? {} : await readTrace(options.trace)
  const catalogue: readonly InstanceType[] = await loadCatalogue(options.instanceTypes)
  const steps = traceSteps(trace, span, new SeededRandom(options.seed).fork('load'))
  const results: SimulationResult[] = []
  for (const { name, manifests } of await settingsOf(options, read)) {
    const prepared = prepareManifests(manifests)
    if (!prepared.manifests.some(({ object }) => object.kind === 'NodePool'))
      throw new CliError('the manifests have no NodePool, so no machine could ever be launched')
    if (prepared.leftOut > 0)
      streams.stderr.write(
        `${prepared.leftOut} objects are left out: the simulated cluster makes its own nodes, claims and owned pods\n`,
      )
    const begun = streams.now()
    results.push(
      await runSimulation({
        name,
        manifests: prepared.manifests,
        catalogue,
        steps,
        seed: options.seed,
        span,
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
  }
  print(results, options, streams)
}
