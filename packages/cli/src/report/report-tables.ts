import { amountText, typesText } from '../policy/commitments-text.ts'
import { counted } from '../terminal/amounts.ts'
import { type PriceMark, perHour, perMonth } from '../terminal/money.ts'
import type { Sureness } from './findings.ts'
import type { ReportDocument, ReportedNode } from './report-document.ts'

/** A table of the report, for HTML and Markdown. */
export interface ReportTable {
  readonly title: string
  readonly text: string
  readonly head: readonly string[]
  /** Indexes of the columns with numbers. */
  readonly numbers: readonly number[]
  /** Indexes of the columns with short names that must not wrap. */
  readonly names?: readonly number[]
  readonly rows: readonly (readonly string[])[]
}

const LISTED_NODES = 40
const LISTED_WORKLOADS = 25
const NAMED = 3

const surenessText: Readonly<Record<Sureness, string>> = {
  sure: 'sure',
  likely: 'likely',
  estimate: 'an estimate',
}

export const reportPriceMark = ({ pricesOf }: ReportDocument): PriceMark => (pricesOf === undefined ? '' : '~')

export const percent = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(1)} %`

const listed = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more` : names.join(', ')

/** Returns the compared cost that remains after each finding. */
export const costsAfter = ({ now, findings }: ReportDocument): readonly number[] => {
  let cost = now.comparedCost
  return findings.map(({ saves }) => {
    cost -= saves
    return cost
  })
}

const keeperText = ({ keptBy, group }: ReportedNode): string => (group === '' ? keptBy : `${keptBy} ${group}`)

const findingsTable = (report: ReportDocument): ReportTable => {
  const mark = reportPriceMark(report)
  const after = costsAfter(report)
  return {
    title: 'Where the savings come from',
    text: 'In order of calculation. Each saving is in addition to those above it, so they add up.',
    head: ['', 'Finding', 'Saves', 'A month', 'Left', 'How sure', 'What to do', 'About'],
    numbers: [0, 2, 3, 4],
    rows: report.findings.map(({ title, saves, sureness, because, remedy, about }, index) => [
      String(index + 1),
      title,
      perHour(saves, mark),
      perMonth(saves, mark).replace('/month', ''),
      perHour(after[index], mark),
      `${surenessText[sureness]}: ${because}`,
      remedy,
      listed(about),
    ]),
  }
}

const newNodesTable = (report: ReportDocument): ReportTable => {
  const mark = reportPriceMark(report)
  const nodes = report.planned?.newNodes ?? []
  return {
    title: 'The nodes of the plan',
    text: `In place of ${counted(report.now.comparedNodes, 'node')}.`,
    head: ['Nodes', 'Instance type', 'Bought', 'NodePool', 'Price', 'Together'],
    numbers: [0, 4, 5],
    names: [1, 2, 3],
    rows: nodes.map(({ instanceType, capacityType, nodePool, count, price }) => [
      String(count),
      instanceType,
      capacityType,
      nodePool,
      perHour(price, mark),
      perHour(price === undefined ? undefined : price * count, mark),
    ]),
  }
}

const nodesTable = (report: ReportDocument): ReportTable => {
  const mark = reportPriceMark(report)
  const { nodes } = report
  const hasUsage = nodes.some(({ measured }) => measured !== undefined)
  const hasAlone = nodes.some(({ leftAlone }) => leftAlone !== undefined)
  const more =
    nodes.length > LISTED_NODES ? ` The ${LISTED_NODES} with the highest cost of free room, of ${nodes.length}.` : ''
  return {
    title: 'Nodes by the cost of their free room',
    text: `Used is the share of cpu or memory that pods request, whichever is larger.${hasUsage ? ' Measured is the same share as reported by the metrics API.' : ''}${more}`,
    head: [
      ...['Node', 'Type', 'Zone', 'Bought', 'Kept by', 'Pods', 'Used', 'Price', 'Free room'],
      ...(hasUsage ? ['Measured'] : []),
      ...(hasAlone ? ['Left alone'] : []),
    ],
    numbers: [5, 6, 7, 8, ...(hasUsage ? [9] : [])],
    names: [1, 2, 3, 4],
    rows: nodes
      .slice(0, LISTED_NODES)
      .map((node) => [
        node.node,
        node.instanceType,
        node.zone,
        node.capacityType,
        keeperText(node),
        String(node.pods),
        `${Math.round(100 * node.used)} %`,
        perHour(node.price, mark),
        perHour(node.idle, mark),
        ...(hasUsage ? [node.measured === undefined ? 'unknown' : `${Math.round(100 * node.measured)} %`] : []),
        ...(hasAlone ? [node.leftAlone ?? ''] : []),
      ]),
  }
}

const workloadsTable = (report: ReportDocument): ReportTable => {
  const mark = reportPriceMark(report)
  const { workloads } = report
  const hasPlan = workloads.some(({ planned }) => planned !== undefined)
  return {
    title: 'Workloads by cost',
    text: `The price of a node, including its free room, is divided among its pods by their requests.${workloads.length > LISTED_WORKLOADS ? ` The ${LISTED_WORKLOADS} most expensive.` : ''}`,
    head: ['Workload', 'Pods', 'Now', ...(hasPlan ? ['Planned'] : [])],
    numbers: [1, 2, 3],
    rows: workloads
      .slice(0, LISTED_WORKLOADS)
      .map(({ workload, pods, now, planned }) => [
        workload,
        String(pods),
        perHour(now, mark),
        ...(hasPlan ? [perHour(planned, mark)] : []),
      ]),
  }
}

const commitmentsTable = ({ commitments = [] }: ReportDocument): ReportTable => ({
  title: 'Commitments',
  text: 'Prepaid capacity. The costs of nodes above are what they cost in addition to these, so a covered node costs nothing. The amortised cost is paid whether it is used or not.',
  head: ['Commitment', 'Instance types', 'Covers', 'Used', 'Unused', 'Amortised', 'Unused, amortised'],
  numbers: [2, 3, 4, 5, 6],
  names: [0, 1],
  rows: commitments.map((each) => [
    each.name,
    typesText(each),
    amountText(each, each.covers),
    amountText(each, each.used),
    amountText(each, each.unused),
    perHour(each.amortised),
    perHour(each.unusedCost),
  ]),
})

const keptTable = ({ kept }: ReportDocument): ReportTable => ({
  title: 'Pods that are unschedulable in a plan',
  text: 'Their nodes are not changed by the plan.',
  head: ['Pod', 'Node', 'Why'],
  numbers: [],
  rows: kept.slice(0, LISTED_NODES).map(({ pod, node, why }) => [pod, node, why]),
})

/** Returns the tables of the report, without empty ones. */
export const reportTables = (report: ReportDocument): readonly ReportTable[] =>
  [
    findingsTable(report),
    newNodesTable(report),
    commitmentsTable(report),
    nodesTable(report),
    workloadsTable(report),
    keptTable(report),
  ].filter(({ rows }) => rows.length > 0)

/** Returns the first sentences of the report: the current cost, the planned cost, and the parts that were not compared. */
export const reportSummary = (report: ReportDocument): readonly string[] => {
  const { now, planned, notCompared, waiting } = report
  const mark = reportPriceMark(report)
  const unpriced = now.unpriced === 0 ? '' : `; ${counted(now.unpriced, 'node')} more without a known price`
  const lines: string[] = []
  if (now.nodes > 0)
    lines.push(
      now.unpriced === now.nodes
        ? `The cost of ${counted(now.nodes, 'node')} with ${counted(now.pods, 'pod')} is unknown.`
        : `${counted(now.nodes - now.unpriced, 'node')} cost ${perHour(now.cost, mark)}, ${perMonth(now.cost, mark)}${unpriced}. ${counted(now.pods, 'pod')} run.`,
    )
  if (report.nodeOverheadCost !== undefined && now.nodes > now.unpriced)
    lines.push(
      `${perHour(now.overhead)} of that is the overhead cost of nodes, $${report.nodeOverheadCost}/h each${planned?.overhead === undefined ? '' : `; in a new plan it would be ${perHour(planned.overhead)}`}.`,
    )
  if (planned !== undefined) {
    const saved = now.cost - planned.cost
    lines.push(
      saved > 1e-9
        ? `A new plan for the same pods would cost ${perHour(planned.cost, mark)}: ${perHour(saved, mark)} less, ${percent(saved, now.cost)}.`
        : `A new plan for the same pods would not cost less.`,
    )
    const alone = now.nodes - now.comparedNodes
    if (alone > 0)
      lines.push(`${counted(alone, 'node')} ${alone === 1 ? 'was' : 'were'} not included; the table of nodes says why.`)
  }
  if (notCompared !== undefined) lines.push(`No new plan was made: ${notCompared}.`)
  if (waiting.pods > 0) {
    const none = waiting.withoutPlace === 0 ? '' : `; ${waiting.withoutPlace} of them are unschedulable in a plan`
    lines.push(
      `${counted(waiting.pods, 'pod')} ${waiting.pods === 1 ? 'waits' : 'wait'} for a node: nodes for ${waiting.pods === 1 ? 'it' : 'them'} cost ${perHour(waiting.cost, mark)} more${none}.`,
    )
  }
  return lines
}
