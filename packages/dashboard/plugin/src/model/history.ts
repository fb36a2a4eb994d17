import { ownValue, setOwnValue } from '@kerf/apis'
import type { PoolCount } from '@kerf/controllers/cluster-view'
import { poolUsage } from './amounts.ts'
import { netAllowances } from './budgets.ts'
import type { Line } from './charts.ts'
import { isTrue } from './conditions.ts'
import { computeQuantile, type Sample } from './exposition.ts'
import { pendingPods } from './pending-pods.ts'
import { claimsCost, costIfAsked, launchedClaims } from './price.ts'
import type { Prices } from './prices.ts'
import { fieldsAt, numberAt, objectLabel, objectName } from './read.ts'

/** The values of a chart at one time, keyed by line name. */
export type Values = Readonly<Record<string, number>>

/** One reading of the cluster. For each chart id, it has the values that Prometheus would provide. */
export interface Reading {
  readonly time: number
  readonly values: Readonly<Record<string, Values>>
}

/**
 * A list is `undefined` while it is loading or if the user is not allowed to list it. Values that are computed from it are then unknown,
 * not 0.
 */
interface ClusterReading {
  readonly pools: readonly unknown[] | undefined
  readonly claims: readonly unknown[] | undefined
  readonly pods: readonly unknown[] | undefined
  /** The numbers of nodes by pool, counted in the same way as for budgets. */
  readonly counts?: ReadonlyMap<string, PoolCount> | undefined
  readonly prices: Prices
  /** Samples from the controller's `/metrics`. Empty if the controller is unreachable. */
  readonly samples: readonly Sample[]
}

const counted = (names: readonly string[]): Values => {
  const counts: Record<string, number> = {}
  for (const name of names) setOwnValue(counts, name, (ownValue(counts, name) ?? 0) + 1)
  return counts
}

const summed = (samples: readonly Sample[], name: string, by: readonly string[]): Values => {
  const sums: Record<string, number> = {}
  for (const sample of samples) {
    if (sample.name !== name) continue
    const line = by.map((label) => ownValue(sample.labels, label) || '–').join(' · ')
    setOwnValue(sums, line, (ownValue(sums, line) ?? 0) + sample.value)
  }
  return sums
}

const costs = (pools: readonly unknown[], claims: readonly unknown[], prices: Prices): Values => {
  const cost: Record<string, number> = {}
  for (const pool of pools) {
    const own = claims.filter((claim) => objectLabel(claim, 'karpenter.sh/nodepool') === objectName(pool))
    const known = costIfAsked(claimsCost(own, prices), prices)
    // If no price of a pool is known, its cost is unknown, not 0.
    if (known !== undefined && (known.instances === 0 || known.unknown < known.instances))
      setOwnValue(cost, objectName(pool), known.total)
  }
  return cost
}

const usages = (pools: readonly unknown[]): Values => {
  const usage: Record<string, number> = {}
  for (const pool of pools)
    for (const { resource, share } of poolUsage(pool))
      if (share !== undefined && Number.isFinite(share))
        setOwnValue(usage, `${objectName(pool)} · ${resource}`, share * 100)
  return usage
}

const quantiles = (samples: readonly Sample[], metric: string): Values => {
  const latency: Record<string, number> = {}
  for (const [name, p] of [
    ['p50', 0.5],
    ['p95', 0.95],
    ['p99', 0.99],
  ] as const) {
    const value = computeQuantile(samples, metric, p)
    if (value !== undefined) latency[name] = value
  }
  return latency
}

/** Returns the 95th percentile of a histogram for each value of a label. */
const percentiles = (samples: readonly Sample[], metric: string, label: string): Values => {
  const byLine = Map.groupBy(
    samples.filter(({ name }) => name === `${metric}_bucket`),
    ({ labels }) => ownValue(labels, label) || '–',
  )
  const values: Record<string, number> = {}
  for (const [line, own] of byLine) {
    const value = computeQuantile(own, metric, 0.95)
    if (value !== undefined) setOwnValue(values, line, value)
  }
  return values
}

/** Returns how many more nodes may be disrupted, as the overview shows it. A pool without a limit has no value. */
const allowances = (pools: readonly unknown[], counts: ReadonlyMap<string, PoolCount>, time: number): Values => {
  const allowed: Record<string, number> = {}
  for (const pool of pools) {
    const name = objectName(pool)
    for (const { reasons, left } of netAllowances(pool, counts.get(name) ?? { total: 0, disrupting: 0 }, time))
      for (const reason of reasons) if (left !== undefined) setOwnValue(allowed, `${name} · ${reason}`, left)
  }
  return allowed
}

const KIND_LABELS = ['node.kubernetes.io/instance-type', 'topology.kubernetes.io/zone', 'karpenter.sh/capacity-type']

/** Counts claims whose node has joined the cluster. The controller's metric counts the same claims. */
const nodeKinds = (claims: readonly unknown[]): Values =>
  counted(
    launchedClaims(claims)
      .filter((claim) => isTrue(claim, 'Registered'))
      .map((claim) => KIND_LABELS.map((label) => objectLabel(claim, label) ?? '–').join(' · ')),
  )

/** Computes a reading from the objects and the controller's own metrics, for clusters without Prometheus. */
export const readingAt = (time: number, { pools, claims, pods, counts, prices, samples }: ClusterReading): Reading => ({
  time,
  values: {
    ...(claims === undefined ? {} : { nodes: nodeKinds(claims) }),
    ...(claims === undefined || pools === undefined ? {} : { cost: costs(pools, claims, prices) }),
    ...(pools === undefined ? {} : { usage: usages(pools) }),
    ...(pods === undefined ? {} : { pending: { Pending: pendingPods(pods, new Map()).length } }),
    latency: quantiles(samples, 'karpenter_pods_provisioning_startup_duration_seconds'),
    scheduling: quantiles(samples, 'karpenter_scheduler_scheduling_duration_seconds'),
    cloudLatency: percentiles(samples, 'karpenter_cloudprovider_duration_seconds', 'method'),
    disruptionTime: percentiles(
      samples,
      'karpenter_voluntary_disruption_decision_evaluation_duration_seconds',
      'reason',
    ),
    interruptions: summed(samples, 'karpenter_interruption_received_messages_total', ['message_type']),
    cloudErrors: summed(samples, 'karpenter_cloudprovider_errors_total', ['method', 'error']),
    created: summed(samples, 'karpenter_nodeclaims_created_total', ['nodepool', 'reason']),
    disrupted: summed(samples, 'karpenter_nodeclaims_disrupted_total', ['nodepool', 'reason']),
    allowed:
      pools === undefined || counts === undefined
        ? summed(samples, 'karpenter_nodepools_allowed_disruptions', ['nodepool', 'reason'])
        : allowances(pools, counts, time),
  },
})

/** Charts of totals since the controller's start. They are shown as rates. */
const COUNTERS: ReadonlySet<string> = new Set(['created', 'disrupted', 'interruptions', 'cloudErrors'])

const rates = (points: Line['points']): Line['points'] =>
  points.flatMap(({ time, value }, place) => {
    const before = points[place - 1]
    if (before === undefined || time <= before.time) return []
    // After a restart of the controller, the total starts again at zero.
    const grown = value >= before.value ? value - before.value : value
    return [{ time, value: (grown * 60_000) / (time - before.time) }]
  })

/**
 * Returns a chart's lines from the readings so far. If a reading contains the chart but not the line, the line's value
 * at that time is 0. If it does not contain the chart, the value is unknown.
 */
export const chartLines = (readings: readonly Reading[], chart: string, since: number): readonly Line[] => {
  const kept = readings.filter(({ time, values }) => time >= since && ownValue(values, chart) !== undefined)
  const names = [...new Set(kept.flatMap(({ values }) => Object.keys(ownValue(values, chart) ?? {})))].sort()
  return names.map((name) => {
    const points = kept.map(({ time, values }) => ({ time, value: ownValue(ownValue(values, chart), name) ?? 0 }))
    return { name, points: COUNTERS.has(chart) ? rates(points) : points }
  })
}

/** Returns the lines without the points after a time. Omits a line without points. */
export const linesUntil = (lines: readonly Line[], until: number): readonly Line[] =>
  lines.flatMap(({ name, points }) => {
    const kept = points.filter(({ time }) => time <= until)
    return kept.length === 0 ? [] : [{ name, points: kept }]
  })

/** Kerf's history of the last day, from `/kerf/v1/history`. */
export interface ReportedHistory {
  /** When the controller's history begins. */
  readonly since: number
  /** How many lines were omitted because of the size limit. */
  readonly leftOut: number
  lines(chart: string, since: number): readonly Line[]
  /**
   * Returns how much each line of a chart of totals has grown since a time. If a line began after that time, its whole
   * value counts.
   */
  grown(chart: string, since: number): ReadonlyMap<string, number>
}

/** Returns how much a total has grown. A decrease means that a new process started at zero. */
const grownSince = (values: readonly unknown[], first: number): number => {
  let grown = 0
  let before: number | undefined
  for (const [place, value] of values.entries()) {
    if (typeof value !== 'number') continue
    const added = before === undefined || value < before ? value : value - before
    if (place > first) grown += added
    before = value
  }
  return grown
}

/** Parses the history in a response from Kerf. Returns undefined for any other response. Omits unknown values. */
export const reportedHistory = (response: unknown): ReportedHistory | undefined => {
  const [since, from, step] = [numberAt(response, 'since'), numberAt(response, 'from'), numberAt(response, 'step')]
  if (since === undefined || from === undefined || step === undefined || step <= 0) return undefined
  return {
    since,
    leftOut: numberAt(response, 'leftOut') ?? 0,
    lines: (chart, start) =>
      Object.entries(fieldsAt(response, 'charts', chart)).flatMap(([name, values]): readonly Line[] => {
        const points = (Array.isArray(values) ? values : []).flatMap((value: unknown, place) => {
          const time = from + place * step
          return typeof value === 'number' && time >= start ? [{ time, value }] : []
        })
        if (points.length === 0) return []
        return [{ name, points: COUNTERS.has(chart) ? rates(points) : points }]
      }),
    grown: (chart, start) => {
      // The index is negative if the controller's history began later than the requested time. Then every total in it
      // counts as growth.
      const first = Math.floor((start - from) / step)
      return new Map(
        Object.entries(fieldsAt(response, 'charts', chart)).map(([name, values]) => [
          name,
          grownSince(Array.isArray(values) ? values : [], first),
        ]),
      )
    },
  }
}

/**
 * Maximum number of readings. One reading every ten seconds exceeds it within a day, so older readings are thinned
 * out.
 */
export const MOST_READINGS = 720

/** Adds a reading. If there are too many, drops every second reading of the older half. */
export const withReading = (readings: readonly Reading[], reading: Reading): readonly Reading[] => {
  const all = [...readings, reading]
  if (all.length <= MOST_READINGS) return all
  const half = Math.floor(all.length / 2)
  return [...all.slice(0, half).filter((_, place) => place % 2 === 0), ...all.slice(half)]
}
