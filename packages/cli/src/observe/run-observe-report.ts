import { writeFile } from 'node:fs/promises'
import { groupVersion, type KubeObject, kinds, labels, type NodePool, tryParseDuration } from '@kerf/apis'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { terminalWidth } from '@kerf/provider-kit/terminal'
import { connect } from '../cluster/connect.ts'
import { hourlyPrices } from '../cluster/hourly-prices.ts'
import type { InstanceTypesChoice } from '../cluster/instance-types.ts'
import { knownTypes } from '../doctor/known-types.ts'
import { readManifests } from '../manifests/read-manifests.ts'
import { checkFields } from '../manifests/validate-manifests.ts'
import type { ValidationMode } from '../manifests/validation-option.ts'
import { buildSnapshot, type InstanceTypesOf } from '../plan/load-snapshot.ts'
import { forbiddenPolicies } from '../plan/policy-notes.ts'
import { priceKinds } from '../plan/read-live-cluster.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { stopSignals } from '../process/stop-signals.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { compareDecisions, type PriceOf } from './compare-decisions.ts'
import { followCluster, readNow, readPriceObjects } from './follow-cluster.ts'
import { ObservedFacts } from './observed-facts.ts'
import { comparisonPage } from './report-page.ts'
import { comparisonTable } from './report-table.ts'
import { summaryLines } from './report-words.ts'

export interface ObserveReportOptions extends InstanceTypesChoice {
  readonly filename: readonly string[]
  readonly recursive?: boolean
  readonly validate?: ValidationMode
  readonly kubeconfig?: string
  readonly context?: string
  /** How long to follow a live cluster. If absent, its current state is read once. */
  readonly for?: string
  readonly output: 'table' | 'json'
  /** A file to which an HTML page is written, in addition to the output. */
  readonly html?: string
}

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/** Returns whether prices can depend on the object. */
const affectsPrices = ({ kind, apiVersion }: KubeObject): boolean =>
  [...priceKinds, kinds.ConfigMap].some((each) => each.kind === kind && groupVersion(each) === apiVersion)

/**
 * Returns a function that returns the prices of nodes, computed from the instance types of their NodePools. Like the prices of Kerf's
 * decisions, they include the price book, the discounts and the NodeOverlays.
 */
const objectPrices = async (objects: readonly KubeObject[], choice: InstanceTypesChoice): Promise<PriceOf> => {
  const { typesOf: known, arePriced } = await knownTypes(objects, choice)
  const typesOf: InstanceTypesOf = (pool) => known(pool) ?? []
  const manifests = objects.filter(affectsPrices).map((object) => ({ object, file: 'the cluster', line: 0 }))
  const { snapshot, withPrices } = buildSnapshot(manifests, typesOf, arePriced)
  const offered = new Map(snapshot.pools.map(({ nodePool, instanceTypes }) => [nodePool.metadata.name, instanceTypes]))
  const byPool = new Map(
    objects
      .filter(isNodePool)
      .map((pool) => [pool.metadata.name, hourlyPrices(offered.get(pool.metadata.name) ?? withPrices(typesOf(pool)))]),
  )
  return ({ nodePool, instanceType, zone, capacityType }) =>
    byPool.get(nodePool)?.({
      [labels.instanceType]: instanceType,
      [labels.zone]: zone,
      [labels.capacityType]: capacityType,
    })
}

const parseDuration = (text: string): number => {
  const duration = tryParseDuration(text)
  if (duration === undefined || duration <= 0) throw new UsageError(`--for ${text}: give a duration such as 30m or 2h`)
  return duration
}

const readFiles = async (
  { filename, recursive = false, validate = 'warn' }: ObserveReportOptions,
  facts: ObservedFacts,
  warn: (line: string) => void,
): Promise<readonly KubeObject[]> => {
  // The files may contain several versions of an object, from different times. All of them are kept.
  const manifests = await readManifests(filename, { recursive, skipped: warn, repeated: 'keep' })
  checkFields(manifests, { validate, warn })
  const objects = manifests.map(({ object }) => object)
  for (const object of objects) facts.take(object)
  return objects
}

const readLive = async (
  { kubeconfig, context, for: span }: ObserveReportOptions,
  facts: ObservedFacts,
  env: PlanStreams['env'],
  warn: (line: string) => void,
): Promise<readonly KubeObject[]> => {
  const duration = span === undefined ? undefined : parseDuration(span)
  const { client, clock, random } = connect({ env, kubeconfig, context })
  const { signal, dispose } = stopSignals()
  try {
    if (duration !== undefined) await followCluster({ client, clock, random }, facts, duration, signal)
    await readNow({ client }, facts)
    return await readPriceObjects(client, (kind) => {
      const problem = forbiddenPolicies(kind)
      if (problem !== undefined) warn(`not checked: ${problem}`)
    })
  } finally {
    await client.close()
    dispose()
  }
}

/** Runs `kerf observe report`: compares Kerf's decisions in observe mode with those of the active autoscaler. Changes nothing. */
export const runObserveReport = async (options: ObserveReportOptions, streams: PlanStreams): Promise<void> => {
  const progress = new ProgressLine(streams.stderr)
  const facts = new ObservedFacts()
  const notes: string[] = []
  const isFiles = options.filename.length > 0
  if (isFiles && [options.kubeconfig, options.context, options.for].some((given) => given !== undefined))
    throw new UsageError('-f reads files; --kubeconfig, --context and --for are for a live cluster')
  progress.show(options.for === undefined ? 'reading the cluster' : `watching the cluster for ${options.for}`)
  const objects = isFiles
    ? await readFiles(options, facts, (line) => notes.push(line))
    : await readLive(options, facts, streams.env, (line) => notes.push(line))
  progress.clear()
  if (facts.unread > 0) notes.push(`ignored: lines of the ConfigMap that are not decisions (${facts.unread})`)
  for (const note of notes) streams.stderr.write(`${note}\n`)
  const comparison = compareDecisions(facts, await objectPrices(objects, options))
  if (options.html !== undefined) {
    const { html } = options
    await writeFile(html, comparisonPage(comparison)).catch((error: unknown) => {
      throw new CliError(`${html} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
    })
  }
  streams.stdout.write(
    options.output === 'json'
      ? `${JSON.stringify({ summary: summaryLines(comparison), ...comparison }, null, 2)}\n`
      : comparisonTable(comparison, terminalWidth(streams.stdout)),
  )
}
