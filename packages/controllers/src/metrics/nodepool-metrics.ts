import { karpenterKinds, type Milliseconds, type NodePool, parseResources, toNumber } from '@kerf/apis'
import { coveredShares, labelledPrice } from '@kerf/engine'
import { type Controller, defineMetrics, done, type Gauge, type Outcome, retryAfter, source } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import { resourceLabelValue } from './label-names.ts'

const EVERY: Milliseconds = 10_000

const byResource = ['resource_type', 'nodepool'] as const

export const nodePoolMetrics = defineMetrics({
  limit: { name: 'karpenter_nodepools_limit', type: 'gauge', help: 'spec.limits of a NodePool.', labels: byResource },
  usage: {
    name: 'karpenter_nodepools_usage',
    type: 'gauge',
    help: 'Capacity of the nodes of a NodePool.',
    labels: byResource,
  },
  cost: {
    name: 'karpenter_nodepools_cost_total',
    type: 'gauge',
    help: 'Cost of the nodes of a NodePool in US dollars an hour.',
    labels: ['nodepool'],
  },
  failures: {
    name: 'karpenter_nodepools_cost_tracker_errors_total',
    type: 'counter',
    help: 'Nodes whose price is not known, and NodePools whose prices could not be read.',
    labels: ['nodepool'],
  },
})

/** Reports limits, usage and cost of every pool (controller `metrics.nodepool`, `docs/spec/metrics.md#core-metrics`). */
export class NodePoolMetrics {
  readonly #written = new Map<string, ReadonlySet<string>>()
  readonly #pools
  readonly #provider
  readonly #metrics
  readonly #state: ClusterState

  constructor(deps: Deps, state: ClusterState) {
    const { informers, provider, metrics } = deps
    const pools = informers.of(karpenterKinds.NodePool)
    this.#metrics = nodePoolMetrics.register(metrics)
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
      this.#write(this.#metrics.limit, 'limit', name, {})
      this.#write(this.#metrics.usage, 'usage', name, {})
      this.#metrics.cost.remove({ nodepool: name })
      return done()
    }
    this.#write(this.#metrics.limit, 'limit', name, pool.spec.limits ?? {})
    this.#write(this.#metrics.usage, 'usage', name, pool.status?.resources ?? {})
    await this.#cost(pool, signal)
    return retryAfter(EVERY)
  }

  #write(
    gauge: Gauge<(typeof byResource)[number]>,
    family: string,
    pool: string,
    amounts: Readonly<Record<string, string | number>>,
  ): void {
    const names = new Set<string>()
    for (const [name, amount] of Object.entries(parseResources(amounts))) {
      names.add(resourceLabelValue(name))
      gauge.set(toNumber(amount), { resource_type: resourceLabelValue(name), nodepool: pool })
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
      const covered = coveredShares(this.#state.commitments.current())
      let sum = 0
      for (const node of this.#state.poolNodes(nodepool)) {
        const object = node.node ?? node.claim ?? node
        const price = this.#state.isolation.guard(
          'Node',
          'metrics',
          object,
          () => labelledPrice(node.labels, types),
          undefined,
        )
        if (price === undefined) this.#metrics.failures.inc({ nodepool })
        sum += (price ?? 0) * (1 - (covered.get(node.name) ?? 0))
      }
      this.#metrics.cost.set(sum, { nodepool })
    } catch {
      signal.throwIfAborted()
      this.#metrics.failures.inc({ nodepool })
    }
  }
}
