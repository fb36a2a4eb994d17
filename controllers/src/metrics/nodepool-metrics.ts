import { karpenterKinds, labels, type NodePool, parseResources, toNumber } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { singleValueOf } from '@kerf/provider-contract'
import { type Controller, done, type Gauge, type Milliseconds, type Outcome, retryAfter, source } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { isManagedPool } from '../node-claims/ownership.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { StateNode } from '../state/state-node.ts'
import { resourceLabelOf } from './label-names.ts'

const EVERY: Milliseconds = 10_000

/** What the offering costs that a node was started from; nothing when the provider does not know it any more. */
const priceOf = (node: StateNode, types: ReadonlyMap<string, InstanceType>): number | undefined => {
  const type = types.get(node.labels[labels.instanceType] ?? '')
  const zone = node.labels[labels.zone]
  const capacityType = node.labels[labels.capacityType]
  return type?.offerings.find(
    ({ requirements }) =>
      singleValueOf(requirements, labels.zone) === zone &&
      singleValueOf(requirements, labels.capacityType) === capacityType,
  )?.price
}

/** `metrics.nodepool`: limits, use and cost of every pool (`docs/spec/metrics.md#core-metrics`). */
export class NodePoolMetrics {
  readonly #written = new Map<string, ReadonlySet<string>>()
  readonly #pools
  readonly #provider
  readonly #gauges
  readonly #state: ClusterState
  readonly #failures

  constructor(deps: Deps, state: ClusterState) {
    const { informers, provider, metrics } = deps
    const pools = informers.of(karpenterKinds.NodePool)
    const byResource = ['resource_type', 'nodepool']
    this.#gauges = {
      limit: metrics.gauge({ name: 'karpenter_nodepools_limit', help: 'spec.limits of a pool.', labels: byResource }),
      usage: metrics.gauge({
        name: 'karpenter_nodepools_usage',
        help: 'What the nodes of a pool have.',
        labels: byResource,
      }),
      cost: metrics.gauge({
        name: 'karpenter_nodepools_cost_total',
        help: 'What the nodes of a pool cost, in US dollars an hour.',
        labels: ['nodepool'],
      }),
    }
    this.#failures = metrics.counter({
      name: 'karpenter_nodepools_cost_tracker_errors_total',
      help: 'Nodes whose price is not known, and pools whose prices could not be read.',
      labels: ['nodepool'],
    })
    this.#pools = pools
    this.#provider = provider
    this.#state = state
  }

  controller(): Controller {
    return {
      name: 'metrics.nodepool',
      sources: [source(this.#pools, ({ before, after }) => [(after ?? before)?.metadata.name ?? ''])],
      concurrency: 1,
      reconcile: (name, signal) => this.#reconcile(name, signal),
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    const pool = this.#pools.get(name)
    if (pool === undefined || !isManagedPool(this.#provider, pool)) {
      this.#write(this.#gauges.limit, 'limit', name, {})
      this.#write(this.#gauges.usage, 'usage', name, {})
      this.#gauges.cost.remove({ nodepool: name })
      return done()
    }
    this.#write(this.#gauges.limit, 'limit', name, pool.spec.limits ?? {})
    this.#write(this.#gauges.usage, 'usage', name, pool.status?.resources ?? {})
    await this.#cost(pool, signal)
    return retryAfter(EVERY)
  }

  #write(gauge: Gauge, family: string, pool: string, amounts: Readonly<Record<string, string | number>>): void {
    const names = new Set<string>()
    for (const [name, amount] of Object.entries(parseResources(amounts))) {
      names.add(resourceLabelOf(name))
      gauge.set(toNumber(amount), { resource_type: resourceLabelOf(name), nodepool: pool })
    }
    const key = `${family}/${pool}`
    for (const name of this.#written.get(key) ?? [])
      if (!names.has(name)) gauge.remove({ resource_type: name, nodepool: pool })
    this.#written.set(key, names)
  }

  async #cost(pool: NodePool, signal: AbortSignal): Promise<void> {
    const nodepool = pool.metadata.name
    try {
      const types = new Map((await this.#provider.instanceTypes(pool, signal)).map((type) => [type.name, type]))
      let sum = 0
      for (const node of this.#state.poolNodes(nodepool)) {
        const price = priceOf(node, types)
        if (price === undefined) this.#failures.inc({ nodepool })
        sum += price ?? 0
      }
      this.#gauges.cost.set(sum, { nodepool })
    } catch {
      signal.throwIfAborted()
      this.#failures.inc({ nodepool })
    }
  }
}
