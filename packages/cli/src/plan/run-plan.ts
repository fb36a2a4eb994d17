import { type CheapestOffering, explainCost, reasonSentence, schedule } from '@kerf/engine'
import { styleFor } from '@kerf/provider-kit/terminal'
import { stringify } from 'yaml'
import { bufferNotes, overlayNote } from '../cluster/gated-objects.ts'
import { foreignPricesNote, type OpenedTypes, typesPriceMark } from '../cluster/opened-types.ts'
import { counted } from '../terminal/amounts.ts'
import type { PriceMark } from '../terminal/money.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { claimZones } from './claim-zones.ts'
import { costReport } from './cost-report.ts'
import { type ClusterSource, loadCluster } from './load-cluster.ts'
import { diffReport, planDiff } from './plan-diff.ts'
import { type PlanDocument, planDocument } from './plan-document.ts'
import { planReport } from './plan-report.ts'
import type { PlanningOptions } from './planning-options.ts'
import { scheduleOptions } from './schedule-options.ts'
import { sleepingPoolUse } from './sleeping-pods.ts'
import { staticPoolRemarks } from './static-pools.ts'
import { suggestionText } from './suggested-pools.ts'

export interface PlanOptions extends ClusterSource, PlanningOptions {
  readonly output: 'table' | 'wide' | 'json' | 'yaml'
  readonly diff: boolean
  readonly explainCost: boolean
}

interface Terminal {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface PlanStreams {
  readonly stdout: Terminal
  readonly stderr: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
}

/** 0 if every pod is schedulable, otherwise 3. */
export type PlanExitCode = 0 | 3

const text = (document: PlanDocument, options: PlanOptions, mark: PriceMark, streams: PlanStreams): string => {
  switch (options.output) {
    case 'json':
      return `${JSON.stringify(document, null, 2)}\n`
    case 'yaml':
      return stringify(document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
    case 'table':
    case 'wide':
      return planReport(
        document,
        { wide: options.output === 'wide', width: styleFor(streams.stdout, streams.env).width, mark },
        styleFor(streams.stdout, streams.env),
      )
  }
}

const withRemarks = (document: PlanDocument, remarks: ReadonlyMap<string, string>): PlanDocument => ({
  ...document,
  unschedulable: document.unschedulable.map((each) => {
    const remark = remarks.get(each.pod)
    return remark === undefined ? each : { ...each, reason: `${each.reason}; ${remark}` }
  }),
})

/** Returns the region whose prices are used, if it is known. */
const pricesOf = ({ offer }: OpenedTypes): { readonly region?: string; readonly pricesOf?: string } =>
  offer === undefined ? {} : { region: offer.region.region, pricesOf: offer.region.pricesOf }

/**
 * Runs `kerf plan`: reads the cluster, plans, and prints the plan. Changes nothing.
 * @throws UsageError for files without anything to plan
 */
export const runPlan = async (options: PlanOptions, streams: PlanStreams): Promise<PlanExitCode> => {
  const progress = new ProgressLine(streams.stderr)
  const loading = loadCluster({ ...options, suggestPools: true }, streams.env, (line) => progress.show(line)).finally(
    () => progress.clear(),
  )
  const loaded = await loading
  const { options: provided, manifests, instanceTypes, opened, notes, nothing, buffers, suggested, typesOf } = loaded
  if (nothing !== undefined) throw nothing
  const snapshot = buffers.within(loaded.snapshot)
  const pending = [...loaded.pending, ...buffers.pods]
  progress.show(
    `planning ${counted(pending.length, 'pod')} on ${counted(snapshot.nodes.length, 'node')} and ${counted(snapshot.pools.length, 'NodePool')}`,
  )
  const settings = scheduleOptions(provided, options, pending.length)
  const plan = schedule(snapshot, pending, settings)
  const remarks = staticPoolRemarks(
    manifests.map(({ object }) => object),
    snapshot,
    plan.unschedulable.map(({ pod }) => pod),
    typesOf,
    settings,
  )
  const { nodeOverheadCost } = options
  const { priceBook } = loaded
  const originOf =
    priceBook === undefined
      ? undefined
      : (cheapest: CheapestOffering) => priceBook.originOf(cheapest, cheapest.price, opened.source)
  const asleep = sleepingPoolUse(snapshot, pending, settings)
  const document = {
    ...withRemarks(planDocument(plan, reasonSentence, claimZones(snapshot), originOf), remarks),
    ...(nodeOverheadCost === undefined ? {} : { nodeOverheadCost }),
    ...(asleep.length === 0 ? {} : { asleep }),
  }
  const diff = options.diff ? planDiff(snapshot, instanceTypes, document, nodeOverheadCost) : undefined
  if (options.explainCost) progress.show('pricing each constraint')
  const cost = options.explainCost ? explainCost(snapshot, pending, settings) : undefined
  progress.clear()
  for (const line of [...notes, overlayNote(manifests), ...bufferNotes(buffers)])
    if (line !== undefined) streams.stderr.write(`${line}\n`)
  const style = styleFor(streams.stdout, streams.env)
  const whole = {
    ...document,
    ...pricesOf(opened),
    ...(suggested.length === 0 ? {} : { suggestedNodePools: suggested }),
    ...(diff === undefined ? {} : { diff }),
    ...(cost === undefined ? {} : { cost }),
  }
  const isForPeople = options.output === 'table' || options.output === 'wide'
  const mark = typesPriceMark(opened)
  const heading = foreignPricesNote(opened)
  if (isForPeople && heading !== undefined) streams.stdout.write(`${style('gray', heading)}\n\n`)
  streams.stdout.write(text(whole, options, mark, streams))
  if (isForPeople) {
    if (suggested.length > 0) streams.stdout.write(`\n${suggestionText(suggested)}`)
    if (diff !== undefined) streams.stdout.write(`\n${diffReport(diff, style, mark)}`)
    if (cost !== undefined) streams.stdout.write(`\n${costReport(cost, style, mark)}`)
    if (opened.priceNote !== undefined) streams.stdout.write(`\n${style('gray', opened.priceNote)}\n`)
  }
  return plan.unschedulable.length > 0 ? 3 : 0
}
