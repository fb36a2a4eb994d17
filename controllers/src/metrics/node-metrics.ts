import { type Milliseconds, ownValue, type Pod, podRequests, type Quantity, timeOf, toNumber } from '@kerf/apis'
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
import { isOwnedByDaemonSet } from '../pods/pod-predicates.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { StateNode } from '../state/state-node.ts'
import { nodeLabelNames, resourceLabelOf } from './label-names.ts'
import { podLimits } from './pod-limits.ts'

const EVERY: Milliseconds = 5_000
/** How many nodes may be written before others get a turn: each has some thirty series. */
const NODES_PER_TURN = 100

type Amounts = ReadonlyMap<string, bigint>

const sumOf = (pods: readonly Pod[], of: (pod: Pod) => Amounts): Amounts => {
  const sum = new Map<string, bigint>()
  for (const pod of pods) for (const [name, amount] of of(pod)) sum.set(name, (sum.get(name) ?? 0n) + amount)
  return sum
}

const amountOf = (amount: bigint): number => toNumber(amount as Quantity)

/** The labels that say which node it is: one for each well-known label of core and provider, and three more. */
const nodeLabelsOf = (providerLabels: readonly string[]): readonly string[] => [
  ...nodeLabelNames(providerLabels).keys(),
  'node_name',
  'phase',
  'managed',
]

const amountMetrics = (providerLabels: readonly string[]) => {
  const byResource = [...nodeLabelsOf(providerLabels), 'resource_type']
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
      labels: nodeLabelsOf(providerLabels),
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

/** The metrics of nodes with a provider that adds these well-known labels. */
export const nodeMetrics = (providerLabels: readonly string[]): readonly MetricDefinition[] =>
  [amountMetrics(providerLabels), lifetimeMetrics(providerLabels), clusterMetrics].flatMap(
    ({ definitions }) => definitions,
  )

interface Written {
  readonly view: NodeState
  readonly series: readonly { readonly gauge: Gauge; readonly labels: Labels }[]
  readonly requests: Amounts
  readonly allocatable: Amounts
}

/**
 * `metrics.node`: what nodes offer and what is asked of them (`docs/spec/metrics.md#core-metrics`). Only nodes that
 * changed are written again; series of nodes that are gone, or carry other labels now, are removed.
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

  #write(node: StateNode): Written {
    const { view } = node
    const labels = this.#labelsOf(node)
    const series: { gauge: Gauge; labels: Labels }[] = []
    const set = (family: Family, amounts: Amounts): void => {
      for (const [resource, amount] of amounts) {
        const all = { ...labels, resource_type: resourceLabelOf(resource) }
        this.#gauges[family].set(amountOf(amount), all)
        series.push({ gauge: this.#gauges[family], labels: all })
      }
    }
    const daemons = view.pods.filter(isOwnedByDaemonSet)
    const requests = sumOf(view.pods, podRequests)
    const allocatable: Amounts = new Map(Object.entries(view.allocatable))
    set('allocatable', allocatable)
    set('total_pod_requests', requests)
    set('total_pod_limits', sumOf(view.pods, podLimits))
    set('total_daemon_requests', sumOf(daemons, podRequests))
    set('total_daemon_limits', sumOf(daemons, podLimits))
    const overhead = Object.entries(view.capacity).flatMap(([name, amount]): [string, bigint][] => {
      const offered = ownValue(view.allocatable, name)
      return offered === undefined ? [] : [[name, amount - offered]]
    })
    set('system_overhead', new Map(overhead))
    series.push({ gauge: this.#lifetime, labels })
    const createdAt = timeOf(node.node?.metadata.creationTimestamp)
    if (createdAt !== undefined) this.#lifetime.set(createdAt, labels)
    return { view, series, requests, allocatable }
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
      present.add(node)
      const previous = this.#written.get(node)
      if (previous?.view === node.view) continue
      if (++written % NODES_PER_TURN === 0) await sleep(this.#clock, 0, signal)
      const current = this.#write(node)
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
      const share = offered === 0n ? 0 : (100 * amountOf(requested)) / amountOf(offered)
      this.#utilization.set(share, { resource_type: resourceLabelOf(name) })
    }
    return retryAfter(EVERY)
  }

  /** Counts a node's amounts in, or out again. */
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
