import { ownValue, setOwnValue } from '@kerf/apis'
import { poolUsage } from './amounts.ts'
import type { Line } from './charts.ts'
import { isTrue } from './conditions.ts'
import { quantileOf, type Sample } from './exposition.ts'
import { pendingPods } from './pending-pods.ts'
import { costOf, launchedClaims } from './price.ts'
import { fieldsAt, labelOf, nameOf, numberAt } from './read.ts'

/** What a chart shows at one time: each line's value by its name. */
export type Values = Readonly<Record<string, number>>

/** One reading of the cluster: the same charts that Prometheus would fill, by the charts' ids. */
export interface Reading {
  readonly time: number
  readonly values: Readonly<Record<string, Values>>
}

/** Lists are `undefined` while they are loading, or when the user may not read them: then nothing is known, and nothing is 0. */
interface ClusterReading {
  readonly pools: readonly unknown[] | undefined
  readonly claims: readonly unknown[] | undefined
  readonly pods: readonly unknown[] | undefined
  /** Of the controller's `/metrics`; none when it cannot be reached. */
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

const costs = (pools: readonly unknown[], claims: readonly unknown[]): Values => {
  const cost: Record<string, number> = {}
  for (const pool of pools) {
    const { total, instances, unknown } = costOf(
      claims.filter((claim) => labelOf(claim, 'karpenter.sh/nodepool') === nameOf(pool)),
    )
    // A pool of which no price is known is not one that costs nothing.
    if (instances === 0 || unknown < instances) setOwnValue(cost, nameOf(pool), total)
  }
  return cost
}

const usages = (pools: readonly unknown[]): Values => {
  const usage: Record<string, number> = {}
  for (const pool of pools)
    for (const { resource, share } of poolUsage(pool))
      if (share !== undefined && Number.isFinite(share))
        setOwnValue(usage, `${nameOf(pool)} · ${resource}`, share * 100)
  return usage
}

const quantiles = (samples: readonly Sample[]): Values => {
  const latency: Record<string, number> = {}
  for (const [name, p] of [
    ['p50', 0.5],
    ['p95', 0.95],
    ['p99', 0.99],
  ] as const) {
    const value = quantileOf(samples, 'karpenter_pods_provisioning_startup_duration_seconds', p)
    if (value !== undefined) latency[name] = value
  }
  return latency
}

const KIND_LABELS = ['node.kubernetes.io/instance-type', 'topology.kubernetes.io/zone', 'karpenter.sh/capacity-type']

/** Nodes of claims that have joined the cluster, as the metric counts them. */
const nodeKinds = (claims: readonly unknown[]): Values =>
  counted(
    launchedClaims(claims)
      .filter((claim) => isTrue(claim, 'Registered'))
      .map((claim) => KIND_LABELS.map((label) => labelOf(claim, label) ?? '–').join(' · ')),
  )

/** What the objects and the controller's own metrics show at one time, when there is no Prometheus to ask. */
export const readingAt = (time: number, { pools, claims, pods, samples }: ClusterReading): Reading => ({
  time,
  values: {
    ...(claims === undefined ? {} : { nodes: nodeKinds(claims) }),
    ...(claims === undefined || pools === undefined ? {} : { cost: costs(pools, claims) }),
    ...(pools === undefined ? {} : { usage: usages(pools) }),
    ...(pods === undefined ? {} : { pending: { Pending: pendingPods(pods, new Map()).length } }),
    latency: quantiles(samples),
    created: summed(samples, 'karpenter_nodeclaims_created_total', ['nodepool', 'reason']),
    disrupted: summed(samples, 'karpenter_nodeclaims_disrupted_total', ['nodepool', 'reason']),
    allowed: summed(samples, 'karpenter_nodepools_allowed_disruptions', ['nodepool', 'reason']),
  },
})

/** Totals since the controller began, which a chart shows as a rate. */
const COUNTERS: ReadonlySet<string> = new Set(['created', 'disrupted'])

const rates = (points: Line['points']): Line['points'] =>
  points.flatMap(({ time, value }, place) => {
    const before = points[place - 1]
    if (before === undefined || time <= before.time) return []
    // A restart begins at nothing again.
    const grown = value >= before.value ? value - before.value : value
    return [{ time, value: (grown * 60_000) / (time - before.time) }]
  })

/** A chart's lines out of the readings taken so far; a line that is missing in a reading was 0 then, a missing chart was not known. */
export const linesOf = (readings: readonly Reading[], chart: string, since: number): readonly Line[] => {
  const kept = readings.filter(({ time, values }) => time >= since && ownValue(values, chart) !== undefined)
  const names = [...new Set(kept.flatMap(({ values }) => Object.keys(ownValue(values, chart) ?? {})))].sort()
  return names.map((name) => {
    const points = kept.map(({ time, values }) => ({ time, value: ownValue(ownValue(values, chart), name) ?? 0 }))
    return { name, points: COUNTERS.has(chart) ? rates(points) : points }
  })
}

/** What Kerf remembers of the last day, as `/kerf/v1/history` has it. */
export interface ReportedHistory {
  /** When the controller began to remember. */
  readonly since: number
  /** How many lines found no room. */
  readonly leftOut: number
  lines(chart: string, since: number): readonly Line[]
  /** How much each line of totals grew since a time; a line that began since then, by all it has. */
  grown(chart: string, since: number): ReadonlyMap<string, number>
}

/** A total that fell is one that a new process began again. */
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

/** The history in a response of Kerf; nothing in any other. Values that were not known are left out. */
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
      // Negative for a controller that began since then: all it has is new.
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

/** A day of readings at one each ten seconds would be too many: older ones are thinned out. */
export const MOST_READINGS = 720

/** Adds a reading; when there are too many, every second one of the older half is dropped. */
export const withReading = (readings: readonly Reading[], reading: Reading): readonly Reading[] => {
  const all = [...readings, reading]
  if (all.length <= MOST_READINGS) return all
  const half = Math.floor(all.length / 2)
  return [...all.slice(0, half).filter((_, place) => place % 2 === 0), ...all.slice(half)]
}
