import { type Pod, podRequests, type Quantity, toNumber } from '@kerf/apis'
import type { NodeState } from '@kerf/engine'
import {
  type Controller,
  type Gauge,
  type Labels,
  type Metrics,
  type Milliseconds,
  type Outcome,
  retryAfter,
} from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { isOwnedByDaemonSet } from '../pods/pod-predicates.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { StateNode } from '../state/state-node.ts'
import { nodeLabelNames, resourceLabelOf } from './label-names.ts'
import { podLimits } from './pod-limits.ts'

const EVERY: Milliseconds = 5_000

type Amounts = ReadonlyMap<string, bigint>

const sumOf = (pods: readonly Pod[], of: (pod: Pod) => Amounts): Amounts => {
  const sum = new Map<string, bigint>()
  for (const pod of pods) for (const [name, amount] of of(pod)) sum.set(name, (sum.get(name) ?? 0n) + amount)
  return sum
}

const amountOf = (amount: bigint): number => toNumber(amount as Quantity)

const FAMILIES = {
  allocatable: 'What pods may use of a node.',
  total_pod_requests: 'What the pods of a node ask for, daemons included.',
  total_pod_limits: 'What the pods of a node may use at most, daemons included.',
  total_daemon_requests: 'What the daemons of a node ask for.',
  total_daemon_limits: 'What the daemons of a node may use at most.',
  system_overhead: 'What a node keeps for itself: capacity less allocatable.',
} as const
type Family = keyof typeof FAMILIES

interface Written {
  readonly view: NodeState
  readonly series: readonly { readonly gauge: Gauge; readonly labels: Labels }[]
  readonly labels: Labels
  readonly requests: Amounts
  readonly allocatable: Amounts
}

const familyGauges = (metrics: Metrics, nodeLabels: readonly string[]): Readonly<Record<Family, Gauge>> => {
  const gaugeOf = (family: Family): Gauge =>
    metrics.gauge({
      name: `karpenter_nodes_${family}`,
      help: FAMILIES[family],
      labels: [...nodeLabels, 'resource_type'],
    })
  return {
    allocatable: gaugeOf('allocatable'),
    total_pod_requests: gaugeOf('total_pod_requests'),
    total_pod_limits: gaugeOf('total_pod_limits'),
    total_daemon_requests: gaugeOf('total_daemon_requests'),
    total_daemon_limits: gaugeOf('total_daemon_limits'),
    system_overhead: gaugeOf('system_overhead'),
  }
}

/**
 * `metrics.node`: what nodes offer and what is asked of them (`docs/spec/metrics.md#core-metrics`). Only nodes that
 * changed are written again; series of nodes that are gone, or carry other labels now, are removed.
 */
export class NodeMetrics {
  readonly #written = new Map<StateNode, Written>()
  readonly #labelNames
  readonly #gauges: Readonly<Record<Family, Gauge>>
  readonly #lifetime
  readonly #clock
  readonly #state: ClusterState
  readonly #utilization

  constructor(deps: Deps, state: ClusterState) {
    const { metrics, clock, provider } = deps
    const labelNames = nodeLabelNames(provider.wellKnownLabels)
    const nodeLabels = [...labelNames.keys(), 'node_name', 'phase', 'managed']
    this.#lifetime = metrics.gauge({
      name: 'karpenter_nodes_current_lifetime_seconds',
      help: 'The age of a node.',
      labels: nodeLabels,
    })
    this.#utilization = metrics.gauge({
      name: 'karpenter_cluster_utilization_percent',
      help: 'What all pods ask for in percent of what all nodes offer.',
      labels: ['resource_type'],
    })
    this.#gauges = familyGauges(metrics, nodeLabels)
    this.#labelNames = labelNames
    this.#clock = clock
    this.#state = state
  }

  controller(): Controller {
    return {
      name: 'metrics.node',
      sources: [],
      concurrency: 1,
      singleton: true,
      reconcile: () => this.#reconcile(),
    }
  }

  #labelsOf(node: StateNode): Labels {
    return {
      ...Object.fromEntries(
        [...this.#labelNames].map(([name, key]) => [name, node.node?.metadata.labels?.[key] ?? '']),
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
      const offered = view.allocatable[name]
      return offered === undefined ? [] : [[name, amount - offered]]
    })
    set('system_overhead', new Map(overhead))
    series.push({ gauge: this.#lifetime, labels })
    return { view, series, labels, requests, allocatable }
  }

  #forget(previous: Written, kept: readonly { readonly gauge: Gauge; readonly labels: Labels }[]): void {
    const keyOf = ({ labels }: { readonly labels: Labels }): string => JSON.stringify(labels)
    const still = new Map<Gauge, Set<string>>()
    for (const one of kept) {
      const keys = still.get(one.gauge) ?? new Set()
      still.set(one.gauge, keys.add(keyOf(one)))
    }
    for (const one of previous.series) if (still.get(one.gauge)?.has(keyOf(one)) !== true) one.gauge.remove(one.labels)
  }

  async #reconcile(): Promise<Outcome> {
    const now = this.#clock.now()
    const present = new Set<StateNode>()
    for (const node of this.#state.nodes()) {
      if (node.node === undefined) continue
      present.add(node)
      const previous = this.#written.get(node)
      let current = previous
      if (previous?.view !== node.view) {
        current = this.#write(node)
        if (previous !== undefined) this.#forget(previous, current.series)
        this.#written.set(node, current)
      }
      const age = now - Date.parse(node.node.metadata.creationTimestamp ?? '')
      if (current !== undefined && Number.isFinite(age)) this.#lifetime.set(age / 1000, current.labels)
    }
    for (const [node, previous] of this.#written) {
      if (present.has(node)) continue
      this.#forget(previous, [])
      this.#written.delete(node)
    }
    const requests = new Map<string, bigint>()
    const allocatable = new Map<string, bigint>()
    const add = (to: Map<string, bigint>, amounts: Amounts): void => {
      for (const [name, amount] of amounts) to.set(name, (to.get(name) ?? 0n) + amount)
    }
    for (const one of this.#written.values()) {
      add(requests, one.requests)
      add(allocatable, one.allocatable)
    }
    for (const [name, offered] of allocatable) {
      const share = offered === 0n ? 0 : (100 * amountOf(requests.get(name) ?? 0n)) / amountOf(offered)
      this.#utilization.set(share, { resource_type: resourceLabelOf(name) })
    }
    return retryAfter(EVERY)
  }
}
