import { formatTime, kinds, type Node } from '@kerf/apis'
import { isNotFound } from '@kerf/runtime'
import type { FilledCluster } from './filled-cluster.ts'
import { ELASTIC, NAMESPACE, PODS_PER_NODE } from './objects.ts'

const MINUTE = 60_000
/** How often nodes change: per hour, twenty nodes are launched and twenty are removed. */
const NODE_EVERY = 3 * MINUTE
/** How often a kubelet reports an unchanged status. */
const STATUS_EVERY = 5 * MINUTE
const TICK = 100

/** The number of changes of each kind so far. */
export interface Changes {
  rollouts: number
  scaled: number
  statuses: number
}

/**
 * Makes the changes that a cluster has in an hour, `pace` times as fast. Every minute, one Deployment is rolled out. Every three minutes,
 * pods that need a new node are created, and are deleted again later. Kubelets report their status. The sandbox renews the Leases.
 */
export class OrdinaryChange {
  readonly done: Changes = { rollouts: 0, scaled: 0, statuses: 0 }
  readonly #cluster: FilledCluster
  readonly #pace: number
  #nodes: Iterator<Node> | undefined
  #owed = 0

  constructor(cluster: FilledCluster, pace: number) {
    this.#cluster = cluster
    this.#pace = pace
  }

  start(): void {
    this.#every(MINUTE / this.#pace, () => this.#rollOut())
    this.#every(NODE_EVERY / 2 / this.#pace, () => this.#scale())
    this.#every(TICK, () => this.#reportStatuses())
  }

  #every(period: number, work: () => Promise<void>): void {
    const run = (): void => {
      this.#cluster.clock.timer(period, run)
      void work()
    }
    this.#cluster.clock.timer(period, run)
  }

  async #rollOut(): Promise<void> {
    const { sandbox, deployments } = this.#cluster
    const name = deployments[this.done.rollouts++ % deployments.length] ?? ''
    const annotations = { 'example.com/rolled': String(this.done.rollouts) }
    const body = { spec: { template: { metadata: { annotations } } } }
    await sandbox.client.patch(kinds.Deployment, { namespace: NAMESPACE, name }, { type: 'merge', body })
  }

  async #scale(): Promise<void> {
    const replicas = this.done.scaled++ % 2 === 0 ? PODS_PER_NODE : 0
    const ref = { namespace: NAMESPACE, name: ELASTIC }
    await this.#cluster.sandbox.client.patch(kinds.Deployment, ref, { type: 'merge', body: { spec: { replicas } } })
  }

  async #reportStatuses(): Promise<void> {
    const { sandbox, clock } = this.#cluster
    const nodes = sandbox.informers.of(kinds.Node)
    this.#owed += (nodes.size * TICK * this.#pace) / STATUS_EVERY
    for (; this.#owed >= 1; this.#owed--) {
      const next = this.#nodes?.next()
      if (next === undefined || next.done === true) {
        this.#nodes = [...nodes.values()].values()
        continue
      }
      const { name } = next.value.metadata
      const lastHeartbeatTime = formatTime(clock.now())
      const conditions = next.value.status?.conditions?.map(({ type }) => ({ type, lastHeartbeatTime })) ?? []
      const patch = { type: 'strategic', body: { status: { conditions } } } as const
      try {
        await sandbox.client.patch(kinds.Node, { name }, patch, { subresource: 'status' })
        this.done.statuses++
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
  }
}
