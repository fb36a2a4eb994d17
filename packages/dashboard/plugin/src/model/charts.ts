import { ownValue } from '@kerf/apis'
import { isFields } from './read.ts'

/** The unit of a chart's numbers. */
export type Unit = 'count' | 'cores' | 'bytes' | 'seconds' | 'usdPerHour' | 'perMinute' | 'percent'

export type ChartId =
  | 'usage'
  | 'allowed'
  | 'pending'
  | 'latency'
  | 'created'
  | 'disrupted'
  | 'cost'
  | 'nodes'
  | 'interruptions'
  | 'cloudErrors'
  | 'cloudLatency'
  | 'scheduling'
  | 'disruptionTime'

/**
 * A chart: its Prometheus query and its labels. It has one line for each combination of values of the labels in `by`.
 */
export interface Chart {
  readonly id: ChartId
  readonly unit: Unit
  readonly by: readonly string[]
  /** Whether the sum of the lines is meaningful. This is the case for costs, but not for percentages. */
  readonly addsUp: boolean
  /** Returns the PromQL query. `range` is the window for rates in the format of Prometheus, for example `5m`. */
  query(selector: Selector, range: string): string
}

/** The scope of a chart: the whole cluster, or one pool. */
export interface Selector {
  readonly nodePool?: string
}

/** Returns a label value in quotes for PromQL. */
const quoted = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`

const matching = ({ nodePool }: Selector, ...more: readonly string[]): string => {
  const parts = [...(nodePool === undefined ? [] : [`nodepool=${quoted(nodePool)}`]), ...more]
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

/** The used fraction of the limits, by pool and resource. Each resource has its own line, because CPU and bytes cannot be added up. */
const usage: Chart = {
  id: 'usage',
  unit: 'percent',
  by: ['nodepool', 'resource_type'],
  addsUp: false,
  query: (selector) =>
    `100 * sum by (nodepool, resource_type) (karpenter_nodepools_usage${matching(
      selector,
    )}) / (sum by (nodepool, resource_type) (karpenter_nodepools_limit${matching(selector)}) > 0)`,
}

const allowed: Chart = {
  id: 'allowed',
  unit: 'count',
  by: ['nodepool', 'reason'],
  addsUp: false,
  query: (selector) => `min by (nodepool, reason) (karpenter_nodepools_allowed_disruptions${matching(selector)})`,
}

const pending: Chart = {
  id: 'pending',
  unit: 'count',
  by: ['phase'],
  addsUp: true,
  // Pending pods have no NodePool yet, so this chart always shows the whole cluster.
  query: () => 'count by (phase) (karpenter_pods_state{phase="Pending"} == 1)',
}

/** Returns the query of three quantiles of a histogram. */
export const quantilesQuery = (metric: string, range: string): string =>
  ['0.5', '0.95', '0.99']
    .map(
      (quantile) =>
        `label_replace(histogram_quantile(${quantile}, sum by (le) (rate(${metric}_bucket[${range}]))), "quantile", "p${
          Number(quantile) * 100
        }", "", "")`,
    )
    .join(' or ')

const latency: Chart = {
  id: 'latency',
  unit: 'seconds',
  by: ['quantile'],
  addsUp: false,
  query: (_selector, range) => quantilesQuery('karpenter_pods_provisioning_startup_duration_seconds', range),
}

const created: Chart = {
  id: 'created',
  unit: 'perMinute',
  by: ['nodepool', 'reason'],
  addsUp: true,
  query: (selector, range) =>
    `60 * sum by (nodepool, reason) (rate(karpenter_nodeclaims_created_total${matching(selector)}[${range}]))`,
}

const disrupted: Chart = {
  id: 'disrupted',
  unit: 'perMinute',
  by: ['nodepool', 'reason'],
  addsUp: true,
  query: (selector, range) =>
    `60 * sum by (nodepool, reason) (rate(karpenter_nodeclaims_disrupted_total${matching(selector)}[${range}]))`,
}

const cost: Chart = {
  id: 'cost',
  unit: 'usdPerHour',
  by: ['nodepool'],
  addsUp: true,
  query: (selector) => `sum by (nodepool) (karpenter_nodepools_cost_total${matching(selector)})`,
}

const nodes: Chart = {
  id: 'nodes',
  unit: 'count',
  by: ['instance_type', 'zone', 'capacity_type'],
  addsUp: true,
  // Each node has one series per resource, so the query counts only the CPU series. Claims are included only if their node has joined the
  // cluster.
  query: (selector) =>
    `count by (instance_type, zone, capacity_type) (karpenter_nodes_allocatable${matching(
      selector,
      ...(selector.nodePool === undefined ? ['nodepool!=""'] : []),
      'node_name!=""',
      'resource_type="cpu"',
    )})`,
}

export const charts: readonly Chart[] = [nodes, cost, usage, pending, latency, created, disrupted, allowed]

/** One line of a chart. */
export interface Line {
  readonly name: string
  readonly points: readonly { readonly time: number; readonly value: number }[]
}

/**
 * Why a chart has no lines:
 * - `range`: There are values outside its time range.
 * - `values`: Nothing reports its values.
 * - `series`: Prometheus has no such series at all.
 */
export type NoLines = 'range' | 'values' | 'series'

/** The lines in a response, or the reason why the response cannot be read. */
export type Lines = { readonly lines: readonly Line[]; readonly none?: NoLines } | { readonly problem: string }

/**
 * Returns the lines in a range. If there are none, adds the reason: `range` if there are lines at other times, `otherwise` if there are
 * none at all.
 */
export const linesOrWhy = (lines: readonly Line[], ever: () => readonly Line[], otherwise: NoLines): Lines =>
  lines.length > 0 ? { lines } : { lines, none: ever().length > 0 ? 'range' : otherwise }

/** Returns the name of a line: the values of the labels that differ between lines, with `–` for a missing label. */
const nameOf = (labels: Readonly<Record<string, unknown>>, by: readonly string[]): string =>
  by.map((label) => String(ownValue(labels, label) ?? '') || '–').join(' · ')

/**
 * Parses Prometheus' response to `query_range`. Any other response (an error, a login page, a truncated response)
 * becomes a problem. NaN and infinity, for example after a division by zero, become gaps.
 */
export const readRange = (answer: unknown, by: readonly string[]): Lines => {
  if (!isFields(answer)) return { problem: 'the answer is no JSON object' }
  if (answer['status'] !== 'success') return { problem: String(answer['error'] ?? 'the answer has no status') }
  const { data } = answer
  const result = isFields(data) ? data['result'] : undefined
  if (!Array.isArray(result)) return { problem: 'the answer has no result' }
  const type = isFields(data) ? data['resultType'] : undefined
  if (type !== undefined && type !== 'matrix')
    return { problem: `the answer has the type ${String(type)} instead of matrix` }
  const lines = result.flatMap((series: unknown): readonly Line[] => {
    if (!isFields(series) || !Array.isArray(series['values'])) return []
    const labels = isFields(series['metric']) ? series['metric'] : {}
    const points = series['values'].flatMap((pair: unknown) => {
      if (!Array.isArray(pair)) return []
      const [time, value] = [Number(pair[0]) * 1000, Number(pair[1])]
      return Number.isFinite(time) && Number.isFinite(value) ? [{ time, value }] : []
    })
    return points.length === 0 ? [] : [{ name: nameOf(labels, by), points }]
  })
  return { lines: lines.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)) }
}

/** Maximum number of lines whose colours can be distinguished. */
const MOST_LINES = 8

/**
 * Returns the lines with the largest last values. If the lines can be added up, the sum of all other lines becomes one
 * more line. Otherwise the other lines are omitted, and `leftOut` is their number.
 */
export const foldLines = (
  lines: readonly Line[],
  others: string,
  addsUp: boolean,
): { readonly lines: readonly Line[]; readonly leftOut: number } => {
  if (lines.length <= MOST_LINES) return { lines, leftOut: 0 }
  const last = (line: Line): number => line.points.at(-1)?.value ?? 0
  const ranked = [...lines].sort((a, b) => last(b) - last(a) || (a.name < b.name ? -1 : 1))
  if (!addsUp) return { lines: ranked.slice(0, MOST_LINES), leftOut: lines.length - MOST_LINES }
  const sums = new Map<number, number>()
  for (const { points } of ranked.slice(MOST_LINES - 1))
    for (const { time, value } of points) sums.set(time, (sums.get(time) ?? 0) + value)
  const points = Array.from(sums, ([time, value]) => ({ time, value })).sort((a, b) => a.time - b.time)
  return { lines: [...ranked.slice(0, MOST_LINES - 1), { name: others, points }], leftOut: 0 }
}

/**
 * Returns the label of a tick on an axis whose maximum is `largest`. It has enough decimals to distinguish ticks. The
 * unit is in the chart's title.
 */
export const showTick = (unit: Unit, value: number, largest: number, locale?: string): string => {
  if (unit !== 'usdPerHour') return showValue(unit, value, locale).replace('/min', '')
  const places = largest >= 10 ? 0 : largest >= 0.1 ? 2 : 3
  return `$${fixed(value, places, locale)}`
}

export const ranges = ['10m', '30m', '1h', '3h', '6h', '12h', '24h', '7d'] as const
export type Range = (typeof ranges)[number]

const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }
export const rangeSeconds = (range: Range): number =>
  Number.parseInt(range, 10) * (ownValue(SECONDS, range.slice(-1)) ?? 60)

export const resolutions = ['low', 'medium', 'high'] as const
export type Resolution = (typeof resolutions)[number]
const POINTS: Readonly<Record<Resolution, number>> = { low: 60, medium: 150, high: 400 }

/** Returns the number of seconds between two points of a chart that is `seconds` long. */
export const chartStep = (seconds: number, resolution: Resolution): number =>
  Math.max(5, Math.ceil(seconds / POINTS[resolution]))

/**
 * Returns the window for rates. It is at least five minutes, so that it contains four scrapes, and at least four
 * steps.
 */
export const rateWindow = (step: number): string => `${Math.max(300, step * 4)}s`

/** Returns the path of a range query, relative to Prometheus' address. The times are in milliseconds. */
export const rangePath = (query: string, from: number, until: number, step: number): string => {
  const to = Math.floor(until / 1000 / step) * step
  const asked = new URLSearchParams({
    query,
    start: String(to - Math.round((until - from) / 1000)),
    end: String(to),
    step: String(step),
  })
  return `api/v1/query_range?${asked}`
}

/** Returns a number with at most `places` decimals, and with separators between thousands. */
const rounded = (value: number, places: number, locale?: string): string =>
  value.toLocaleString(locale, { maximumFractionDigits: places })

/** Returns a number with exactly `places` decimals, and with separators between thousands. */
const fixed = (value: number, places: number, locale?: string): string =>
  value.toLocaleString(locale, { minimumFractionDigits: places, maximumFractionDigits: places })

/** Returns a readable number with its unit, in the browser's language by default. */
export const showValue = (unit: Unit, value: number, locale?: string): string => {
  const round = (places: number): string => rounded(value, places, locale)
  switch (unit) {
    case 'count':
      return round(1)
    case 'cores':
      return `${round(2)} CPU`
    case 'bytes':
      return `${rounded(value / 2 ** 30, 1, locale)} GiB`
    case 'seconds':
      if (value >= 120) return `${rounded(value / 60, 1, locale)} min`
      return value > 0 && value < 1 ? `${rounded(value * 1000, value < 0.01 ? 1 : 0, locale)} ms` : `${round(1)} s`
    case 'usdPerHour':
      return `$${fixed(value, value < 1 ? 4 : 2, locale)}/h`
    case 'perMinute':
      return `${round(value < 0.1 ? 3 : 2)}/min`
    case 'percent':
      return `${round(1)} %`
  }
}

/** Returns the lines as comma-separated values with one row per time. */
export const asCsv = (lines: readonly Line[]): string => {
  const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const times = [...new Set(lines.flatMap(({ points }) => points.map(({ time }) => time)))].sort((a, b) => a - b)
  const byTime = lines.map(({ points }) => new Map(points.map(({ time, value }) => [time, value])))
  const rows = times.map((time) => [
    new Date(time).toISOString(),
    ...byTime.map((each) => String(each.get(time) ?? '')),
  ])
  return `${[['time', ...lines.map(({ name }) => cell(name))], ...rows].map((row) => row.join(',')).join('\n')}\n`
}
