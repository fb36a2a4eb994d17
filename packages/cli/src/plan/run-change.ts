import { UsageError } from '@kerf/provider-kit/command-line'
import { styleFor } from '@kerf/provider-kit/terminal'
import { type Clock, SystemClock } from '@kerf/runtime'
import { stringify } from 'yaml'
import { overlayNote, uncountedBuffers } from '../cluster/gated-objects.ts'
import { foreignPricesNote, typesPriceMark } from '../cluster/opened-types.ts'
import { readManifests } from '../manifests/read-manifests.ts'
import { validateManifests } from '../manifests/validate-manifests.ts'
import type { PriceMark } from '../terminal/money.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { type ChangeForecast, forecastChange } from './change-forecast.ts'
import { changeMarkdown, changeReport } from './change-report.ts'
import { loadCluster } from './load-cluster.ts'
import type { PlanExitCode, PlanOptions, PlanStreams } from './run-plan.ts'

export interface ChangeOptions extends Omit<PlanOptions, 'output'> {
  readonly output: PlanOptions['output'] | 'markdown'
  /** Files or directories with the changed objects. */
  readonly change: readonly string[]
}

const text = (forecast: ChangeForecast, options: ChangeOptions, streams: PlanStreams, mark: PriceMark): string => {
  switch (options.output) {
    case 'json':
      return `${JSON.stringify(forecast, null, 2)}\n`
    case 'yaml':
      return stringify(forecast, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
    case 'markdown':
      return changeMarkdown(forecast, mark)
    case 'table':
    case 'wide':
      return changeReport(forecast, styleFor(streams.stdout, streams.env), mark)
  }
}

/**
 * Runs `kerf plan --change`. Returns 0 if every pod keeps a node, 3 if some pods would have none. Changes nothing.
 * @throws UsageError for flags that apply only to a plan without a change; ManifestError for a change that cannot be read
 */
export const runChange = async (
  options: ChangeOptions,
  streams: PlanStreams,
  clock: Clock = new SystemClock(),
): Promise<PlanExitCode> => {
  if (options.diff || options.explainCost)
    throw new UsageError('--change already compares before and after; remove --diff and --explain-cost')
  const { planBudget, nodeOverheadCost, fewerNodesCostShare, preferencePolicy, minValuesPolicy } = options
  const progress = new ProgressLine(streams.stderr)
  const warn = (line: string): unknown => streams.stderr.write(`${line}\n`)
  const given = await readManifests(options.change, { repeated: warn, skipped: warn })
  const kinds = new Set(given.map(({ object }) => `${object.apiVersion}/${object.kind}`))
  const source = { ...options, alsoRead: kinds }
  const loaded = await loadCluster(source, streams.env, (line) => progress.show(line)).finally(() => progress.clear())
  progress.show(`applying ${options.change.join(', ')} to a copy of the cluster`)
  const { validate = 'warn' } = options
  const change = validateManifests(given, loaded.options.vocabulary, { validate, warn })
  const settings = {
    types: loaded.opened,
    ...(planBudget === undefined ? {} : { planBudget }),
    ...(nodeOverheadCost === undefined ? {} : { nodeOverheadCost }),
    ...(fewerNodesCostShare === undefined ? {} : { fewerNodesCostShare }),
    ...(preferencePolicy === undefined ? {} : { preferencePolicy }),
    ...(minValuesPolicy === undefined ? {} : { minValuesPolicy }),
  }
  const forecast = await forecastChange(loaded, change, settings, clock).finally(() => progress.clear())
  for (const line of [...loaded.notes, overlayNote(loaded.manifests), ...uncountedBuffers(loaded.buffers)])
    if (line !== undefined) streams.stderr.write(`${line}\n`)
  const heading = foreignPricesNote(loaded.opened)
  const isForPeople = options.output === 'table' || options.output === 'wide'
  const style = styleFor(streams.stdout, streams.env)
  if (heading !== undefined && isForPeople) streams.stdout.write(`${style('gray', heading)}\n\n`)
  streams.stdout.write(text(forecast, options, streams, typesPriceMark(loaded.opened)))
  if (heading !== undefined && options.output === 'markdown') streams.stdout.write(`\n${heading}.\n`)
  const { priceNote } = loaded.opened
  if (priceNote !== undefined && isForPeople) streams.stdout.write(`\n${style('gray', priceNote)}\n`)
  return forecast.withoutPlace.length > 0 ? 3 : 0
}
