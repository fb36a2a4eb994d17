import {
  isConditionTrue,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type NodePool,
  ownValue,
  type Pod,
  parseResources,
  toNumber,
} from '@kerf/apis'
import { type Controller, type Outcome, retryAfter, type Series } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { StateNode } from '../state/state-node.ts'
import { History, type HistoryValue } from './history.ts'

const EVERY: Milliseconds = 60_000
const QUANTILES = [
  ['p50', 0.5],
  ['p95', 0.95],
  ['p99', 0.99],
] as const

/**
 * Returns a quantile of the observations. Interpolates linearly inside a bucket, like `histogram_quantile` in PromQL. Undefined if there
 * are no observations.
 */
const quantileOf = (buckets: ReadonlyMap<number, number>, share: number): number | undefined => {
  const sorted = [...buckets].toSorted(([a], [b]) => a - b)
  const total = sorted.at(-1)?.[1] ?? 0
  if (total === 0) return undefined
  const rank = share * total
  let [below, boundary] = [0, 0]
  for (const [bound, count] of sorted) {
    if (count >= rank) {
      if (bound === Number.POSITIVE_INFINITY) return boundary
      return count === below ? bound : boundary + ((bound - boundary) * (rank - below)) / (count - below)
    }
    below = count
    boundary = bound
  }
  return boundary
}

type Buckets = ReadonlyMap<number, number>

/** Returns the observations of a histogram for each value of a label: the number of observations by the upper bound of the bucket. */
const bucketsBy = (
  series: readonly Series[],
  name: string,
  label: string | undefined,
): ReadonlyMap<string, Buckets> => {
  const byLine = new Map<string, Map<number, number>>()
  for (const { name: own, labels: found, value } of series) {
    if (own !== `${name}_bucket`) continue
    const line = label === undefined ? '' : (ownValue(found, label) ?? '')
    const buckets = byLine.get(line) ?? new Map<number, number>()
    byLine.set(line, buckets)
    const bound = found['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(found['le'])
    buckets.set(bound, (buckets.get(bound) ?? 0) + value)
  }
  return byLine
}

/** A chart of the 95th percentile of durations. If `label` is set, the chart has one line for each value of the label. */
interface DurationChart {
  readonly chart: HistoryValue['chart']
  readonly metric: string
  readonly label?: string
}

const DURATIONS: readonly DurationChart[] = [
  { chart: 'latency', metric: 'karpenter_pods_provisioning_startup_duration_seconds' },
  { chart: 'scheduling', metric: 'karpenter_scheduler_scheduling_duration_seconds' },
  { chart: 'cloudLatency', metric: 'karpenter_cloudprovider_duration_seconds', label: 'method' },
  {
    chart: 'disruptionTime',
    metric: 'karpenter_voluntary_disruption_decision_evaluation_duration_seconds',
    label: 'reason',
  },
]

/**
 * Samples the cluster every minute for `/kerf/v1/history`, so that the dashboard can show the last day even if no Prometheus scrapes the
 * metrics. The number of nodes comes from `countClaims`, all other values from the metrics.
 */
export class HistorySampler {
  readonly history: History
  readonly #deps: Deps
  readonly #state: ClusterState
  /** The buckets of the previous sample, by chart and line. */
  readonly #observed = new Map<string, Buckets>()

  constructor(deps: Deps, state: ClusterState) {
    this.#deps = deps
    this.#state = state
    this.history = new History(deps.clock.now())
  }

  controller(): Controller {
    return {
      name: 'metrics.history',
      sources: [],
      concurrency: 1,
      singleton: true,
      reconcile: () => this.#reconcile(),
    }
  }

  async #reconcile(): Promise<Outcome> {
    const values = [
      ...(await this.#ofPools('cost', 'karpenter_nodepools_cost_total')),
      { chart: 'pending' as const, line: 'Pending', value: this.#pending() },
      ...this.#usage(),
      ...(await this.#ofPools('allowed', 'karpenter_nodepools_allowed_disruptions')),
      ...(await this.#ofPools('created', 'karpenter_nodeclaims_created_total')),
      ...(await this.#ofPools('disrupted', 'karpenter_nodeclaims_disrupted_total')),
      ...(await this.#sums('interruptions', 'karpenter_interruption_received_messages_total', ['message_type'])),
      ...(await this.#sums('cloudErrors', 'karpenter_cloudprovider_errors_total', ['method', 'error'])),
      ...(await Promise.all(DURATIONS.map((each) => this.#durations(each)))).flat(),
      ...this.#nodes(),
    ]
    this.history.record(this.#deps.clock.now(), values)
    return retryAfter(EVERY)
  }

  /** Returns the series of a metric by NodePool and reason, summed over all other labels. */
  async #ofPools(chart: HistoryValue['chart'], name: string): Promise<readonly HistoryValue[]> {
    const sums = new Map<string, { nodePool: string; line: string; value: number }>()
    for (const { labels: own, value } of await this.#deps.metrics.series(name)) {
      const { nodepool: nodePool = '', reason: line = '' } = own
      const key = `${nodePool}\0${line}`
      sums.set(key, { nodePool, line, value: value + (sums.get(key)?.value ?? 0) })
    }
    return Array.from(sums.values(), (each) => ({ chart, ...each }))
  }

  /** Returns the number of pods that have no node and are neither finished nor terminating. */
  #pending(): number {
    let count = 0
    const add = ({ metadata, spec, status }: Pod): void => {
      const isDone = status?.phase === 'Succeeded' || status?.phase === 'Failed'
      if ((spec.nodeName ?? '') === '' && !isDone && metadata.deletionTimestamp === undefined) count++
    }
    this.#state.isolation.readEach('Pod', 'metrics', this.#deps.informers.of(kinds.Pod).values(), add)
    return count
  }

  /** Returns how much of each limit is used, in percent. */
  #usage(): readonly HistoryValue[] {
    const usage = (pool: NodePool): readonly HistoryValue[] => {
      const values: HistoryValue[] = []
      if (!isManagedPool(this.#deps.provider, pool)) return values
      const used = parseResources(pool.status?.resources)
      for (const [line, limit] of Object.entries(parseResources(pool.spec.limits))) {
        if (limit === 0n) continue
        const value = (100 * toNumber(ownValue(used, line) ?? limit)) / toNumber(limit)
        if (ownValue(used, line) !== undefined)
          values.push({ chart: 'usage', nodePool: pool.metadata.name, line, value })
      }
      return values
    }
    const pools = this.#deps.informers.of(karpenterKinds.NodePool).values()
    return this.#state.isolation.readEach('NodePool', 'metrics', pools, usage).flat()
  }

  /** Returns the series of a metric by the values of some labels, summed over all other labels. */
  async #sums(chart: HistoryValue['chart'], name: string, by: readonly string[]): Promise<readonly HistoryValue[]> {
    const sums = new Map<string, number>()
    for (const { labels: own, value } of await this.#deps.metrics.series(name)) {
      const line = by.map((label) => ownValue(own, label) || '–').join(' · ')
      sums.set(line, (sums.get(line) ?? 0) + value)
    }
    return Array.from(sums, ([line, value]) => ({ chart, line, value }))
  }

  /** Returns quantiles of the durations that were observed since the previous sample. */
  async #durations({ chart, metric, label }: DurationChart): Promise<readonly HistoryValue[]> {
    const values: HistoryValue[] = []
    for (const [line, now] of bucketsBy(await this.#deps.metrics.series(metric), metric, label)) {
      const key = `${chart}\0${line}`
      const before = this.#observed.get(key)
      this.#observed.set(key, now)
      const since = new Map([...now].map(([bound, count]) => [bound, count - (before?.get(bound) ?? 0)]))
      const wanted = label === undefined ? QUANTILES : ([[line, 0.95]] as const)
      for (const [name, share] of wanted) {
        const value = quantileOf(since, share)
        if (value !== undefined) values.push({ chart, line: name, value })
      }
    }
    return values
  }

  /** Returns the number of registered nodes by NodePool, instance type, zone and capacity type. */
  #nodes(): readonly HistoryValue[] {
    const counts = new Map<string, { nodePool: string; line: string; value: number }>()
    const add = (node: StateNode): void => {
      if (node.claim === undefined || !isConditionTrue(node.claim, 'Registered')) return
      const nodePool = node.nodePool ?? ''
      const kind = [labels.instanceType, labels.zone, labels.capacityType].map((label) => node.labels[label] ?? '–')
      const line = kind.join(' · ')
      const key = `${nodePool}\0${line}`
      counts.set(key, { nodePool, line, value: 1 + (counts.get(key)?.value ?? 0) })
    }
    for (const node of this.#state.nodes())
      this.#state.isolation.guard('Node', 'metrics', node.node ?? node.claim ?? node, () => add(node), undefined)
    return Array.from(counts.values(), (each) => ({ chart: 'nodes', ...each }))
  }
}
