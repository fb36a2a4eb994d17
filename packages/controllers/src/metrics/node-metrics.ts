import { type Milliseconds, ownValue, type Pod, parseTime, podRequests, type Quantity, toNumber } from '@kerf/apis'
import type { NodeState } from '@kerf/engine'
import {
  type Controller,
  defineMetrics,
  type Gauge,
  type Labels,
  type MetricDefinition,
  type Outcome,
  retryAfter,
  sleep,
} from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { isOwnedByDaemonSet } from '../pod/pod-predicates.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { StateNode } from '../state/state-node.ts'
import { nodeLabelNames, resourceLabelValue } from './label-names.ts'
import { podLimits } from './pod-limits.ts'

const EVERY: Milliseconds = 5_000
/** The number of nodes after which the controller yields to other work. Each node has about thirty series. */
const NODES_PER_TURN = 100

type Amounts = ReadonlyMap<string, bigint>

const amountAsNumber = (amount: bigint): number => toNumber(amount as Quantity)

/**
 * Returns the metric labels of a node: one for each well-known label of Kubernetes, Karpenter and the provider, and three others.
 */
const nodeMetricLabels = (providerLabels: readonly string[]): readonly string[] => [
  ...nodeLabelNames(providerLabels).keys(),
  'node_name',
  'phase',
  'managed',
]

const amountMetrics = (providerLabels: readonly string[]) => {
  const byResource = [...nodeMetricLabels(providerLabels), 'resource_type']
  return defineMetrics({
    allocatable: {
      name: 'karpenter_nodes_allocatable',
      type: 'gauge',
      help: 'Capacity of a node that pods can use.',
      labels: byResource,
    },
    total_pod_requests: {
      name: 'karpenter_nodes_total_pod_requests',
      type: 'gauge',
      help: 'Requests of the pods on a node, DaemonSet pods included.',
      labels: byResource,
    },
    total_pod_limits: {
      name: 'karpenter_nodes_total_pod_limits',
      type: 'gauge',
      help: 'Limits of the pods on a node, DaemonSet pods included.',
      labels: byResource,
    },
    total_daemon_requests: {
      name: 'karpenter_nodes_total_daemon_requests',
      type: 'gauge',
      help: 'Requests of the DaemonSet pods on a node.',
      labels: byResource,
    },
    total_daemon_limits: {
      name: 'karpenter_nodes_total_daemon_limits',
      type: 'gauge',
      help: 'Limits of the DaemonSet pods on a node.',
      labels: byResource,
    },
    system_overhead: {
      name: 'karpenter_nodes_system_overhead',
      type: 'gauge',
      help: 'What a node reserves for itself: capacity minus allocatable.',
      labels: byResource,
    },
  })
}
type Family = keyof ReturnType<ReturnType<typeof amountMetrics>['register']>

const lifetimeMetrics = (providerLabels: readonly string[]) =>
  defineMetrics({
    lifetime: {
      name: 'karpenter_nodes_current_lifetime_seconds',
      type: 'gauge',
      help: 'The age of a node.',
      labels: nodeMetricLabels(providerLabels),
    },
  })

const clusterMetrics = defineMetrics({
  utilization: {
    name: 'karpenter_cluster_utilization_percent',
    type: 'gauge',
    help: 'Requests of all pods in percent of the allocatable capacity of all nodes.',
    labels: ['resource_type'],
  },
})

/** Returns the metrics of nodes for a provider with these well-known labels. */
export const nodeMetrics = (providerLabels: readonly string[]): readonly MetricDefinition[] =>
  [amountMetrics(providerLabels), lifetimeMetrics(providerLabels), clusterMetrics].flatMap(
    ({ definitions }) => definitions,
  )

interface NodeReading {
  readonly labels: Labels
  readonly createdAt: Milliseconds | undefined
  readonly amounts: Readonly<Record<Family, Amounts>>
}

const FAMILIES: readonly Family[] = [
  'allocatable',
  'total_pod_requests',
  'total_pod_limits',
  'total_daemon_requests',
  'total_daemon_limits',
  'system_overhead',
]

interface Written {
  readonly view: NodeState
  readonly series: readonly { readonly gauge: Gauge; readonly labels: Labels }[]
  readonly requests: Amounts
  readonly allocatable: Amounts
}

/**
 * Reports capacity and requests of nodes (controller `metrics.node`, `docs/spec/metrics.md#core-metrics`). Writes only the series
 * of nodes that changed. Removes the series of deleted nodes, and of labels that a node no longer has.
 */
export class NodeMetrics {
  readonly #written = new Map<StateNode, Written>()
  readonly #totals = new Map<string, { offered: bigint; requested: bigint }>()
  readonly #labelNames
  readonly #gauges: Readonly<Record<Family, Gauge>>
  readonly #lifetime
  readonly #clock
  readonly #state: ClusterState
  readonly #utilization

  constructor(deps: Deps, state: ClusterState) {
    const { metrics, clock, provider } = deps
    const wellKnownLabels = provider.vocabulary.added.wellKnown
    this.#lifetime = lifetimeMetrics(wellKnownLabels).register(metrics).lifetime
    this.#utilization = clusterMetrics.register(metrics).utilization
    this.#gauges = amountMetrics(wellKnownLabels).register(metrics)
    this.#labelNames = nodeLabelNames(wellKnownLabels)
    this.#clock = clock
    this.#state = state
    metrics.showAges([this.#lifetime], clock)
  }

  controller(): Controller {
    return {
      name: 'metrics.node',
      sources: [],
      concurrency: 1,
      singleton: true,
      reconcile: (_key, signal) => this.#reconcile(signal),
    }
  }

  #labelsOf(node: StateNode): Labels {
    return {
      ...Object.fromEntries(
        [...this.#labelNames].map(([name, key]) => [name, ownValue(node.node?.metadata.labels, key) ?? '']),
      ),
      node_name: node.node?.metadata.name ?? '',
      phase: node.node?.status?.phase ?? '',
      managed: String(node.isManaged),
    }
  }

  /** Sums an amount over the pods. Pods that cannot be read are skipped. */
  #sumOf(pods: readonly Pod[], of: (pod: Pod) => Amounts): Amounts {
    const sum = new Map<string, bigint>()
    const add = (pod: Pod): void => {
      for (const [name, amount] of of(pod)) sum.set(name, (sum.get(name) ?? 0n) + amount)
    }
    this.#state.isolation.readEach('Pod', 'metrics', pods, add)
    return sum
  }

  /** Reads the amounts and labels of the node. Reads everything that can throw before any series is written. */
  #read(node: StateNode, view: NodeState): NodeReading {
    const daemons = this.#state.isolation
      .readEach('Pod', 'metrics', view.pods, (pod) => (isOwnedByDaemonSet(pod) ? [pod] : []))
      .flat()
    const allocatable: Amounts = new Map(Object.entries(view.allocatable))
    const overhead = Object.entries(view.capacity).flatMap(([name, amount]): [string, bigint][] => {
      const offered = ownValue(view.allocatable, name)
      return offered === undefined ? [] : [[name, amount - offered]]
    })
    return {
      labels: this.#labelsOf(node),
      createdAt: parseTime(node.node?.metadata.creationTimestamp),
      amounts: {
        allocatable,
        total_pod_requests: this.#sumOf(view.pods, podRequests),
        total_pod_limits: this.#sumOf(view.pods, podLimits),
        total_daemon_requests: this.#sumOf(daemons, podRequests),
        total_daemon_limits: this.#sumOf(daemons, podLimits),
        system_overhead: new Map(overhead),
      },
    }
  }

  #write(view: NodeState, { labels, createdAt, amounts: byFamily }: NodeReading): Written {
    const series: { gauge: Gauge; labels: Labels }[] = []
    for (const family of FAMILIES) {
      for (const [resource, amount] of byFamily[family]) {
        const all = { ...labels, resource_type: resourceLabelValue(resource) }
        this.#gauges[family].set(amountAsNumber(amount), all)
        series.push({ gauge: this.#gauges[family], labels: all })
      }
    }
    series.push({ gauge: this.#lifetime, labels })
    if (createdAt !== undefined) this.#lifetime.set(createdAt, labels)
    return { view, series, requests: byFamily.total_pod_requests, allocatable: byFamily.allocatable }
  }

  #forget(previous: Written, kept: readonly { readonly gauge: Gauge; readonly labels: Labels }[]): void {
    this.#total(previous, -1n)
    const keyOf = ({ labels }: { readonly labels: Labels }): string => JSON.stringify(labels)
    const still = new Map<Gauge, Set<string>>()
    for (const one of kept) {
      const keys = still.get(one.gauge) ?? new Set()
      still.set(one.gauge, keys.add(keyOf(one)))
    }
    for (const one of previous.series) if (still.get(one.gauge)?.has(keyOf(one)) !== true) one.gauge.remove(one.labels)
  }

  async #reconcile(signal: AbortSignal): Promise<Outcome> {
    const present = new Set<StateNode>()
    let written = 0
    for (const node of [...this.#state.nodes()]) {
      if (node.node === undefined) continue
      const view = this.#state.viewOf(node)
      const previous = this.#written.get(node)
      if (previous?.view === view) {
        present.add(node)
        continue
      }
      if (++written % NODES_PER_TURN === 0) await sleep(this.#clock, 0, signal)
      const { isolation } = this.#state
      const reading = isolation.guard('Node', 'metrics', node.node ?? node, () => this.#read(node, view), undefined)
      if (reading === undefined) continue
      present.add(node)
      const current = this.#write(view, reading)
      this.#total(current, 1n)
      if (previous !== undefined) this.#forget(previous, current.series)
      this.#written.set(node, current)
    }
    for (const [node, previous] of this.#written) {
      if (present.has(node)) continue
      if (++written % NODES_PER_TURN === 0) await sleep(this.#clock, 0, signal)
      this.#forget(previous, [])
      this.#written.delete(node)
    }
    for (const [name, { offered, requested }] of this.#totals) {
      const share = offered === 0n ? 0 : (100 * amountAsNumber(requested)) / amountAsNumber(offered)
      this.#utilization.set(share, { resource_type: resourceLabelValue(name) })
    }
    return retryAfter(EVERY)
  }

  /** Adds the amounts of a node to the totals, or subtracts them if `times` is -1. */
  #total({ requests, allocatable }: Written, times: 1n | -1n): void {
    for (const [name, amount] of allocatable) this.#totalOf(name).offered += times * amount
    for (const [name, amount] of requests) this.#totalOf(name).requested += times * amount
  }

  #totalOf(name: string): { offered: bigint; requested: bigint } {
    const known = this.#totals.get(name)
    if (known !== undefined) return known
    const total = { offered: 0n, requested: 0n }
    this.#totals.set(name, total)
    return total
  }
}
