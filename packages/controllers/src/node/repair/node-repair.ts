import {
  annotations,
  formatTime,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  parseTime,
} from '@kerf/apis'
import type { RepairPolicy } from '@kerf/provider-contract'
import { type Controller, defineMetrics, done, isNotFound, type Outcome, retryAfter } from '@kerf/runtime'
import { concurrency, type Deps } from '../../deps.ts'
import { eventObject } from '../../event-object.ts'
import { isObserving } from '../../modes/observe/observations.ts'
import { ClaimDeletion } from '../../nodeclaim/claim-deletion.ts'
import { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import { CLOCK_RETRY } from '../../nodeclaim/clock-hold.ts'
import { isManagedClaim } from '../../nodeclaim/ownership.ts'
import { type Isolation, processIsolation } from '../../state/isolation/isolation.ts'
import { unreported } from '../../state/isolation/unreported.ts'
import { SicknessRecord } from './sickness-record.ts'

/** If a larger share of the nodes is unhealthy, Kerf repairs none of them, because the nodes are probably not the cause. */
const MOST_UNHEALTHY_PERCENT = 20
const BLOCKED_FOR: Milliseconds = 300_000
const REPORT_EVERY: Milliseconds = 900_000

type NodeCondition = NonNullable<NonNullable<Node['status']>['conditions']>[number]

interface Unhealthy {
  readonly condition: NodeCondition
  /** When the provider's toleration for the condition ends. */
  readonly until: Milliseconds
}

const nodeCondition = (node: Node, policy: RepairPolicy): NodeCondition | undefined =>
  node.status?.conditions?.find(
    ({ type, status }) => type === policy.conditionType && status === policy.conditionStatus,
  )

/** Returns the unhealthy condition whose toleration ends first. `begun` returns the time since which the node has had the condition. */
export const findUnhealthyCondition = (
  node: Node,
  policies: readonly RepairPolicy[],
  begun: (condition: NodeCondition) => Milliseconds | undefined = ({ lastTransitionTime }) =>
    parseTime(lastTransitionTime),
): Unhealthy | undefined => {
  let first: Unhealthy | undefined
  for (const policy of policies) {
    const condition = nodeCondition(node, policy)
    const since = condition && begun(condition)
    if (condition === undefined || since === undefined) continue
    const until = since + policy.toleration
    if (first === undefined || until < first.until) first = { condition, until }
  }
  return first
}

/**
 * Returns whether too many nodes are unhealthy for any repair. One node in five, rounded up, may be unhealthy. A node that cannot be read
 * counts as healthy.
 */
export const isBreakerOpen = (
  nodes: readonly Node[],
  policies: readonly RepairPolicy[],
  isolation: Pick<Isolation, 'guard'> = unreported,
): boolean => {
  const isSick = (node: Node): boolean => policies.some((policy) => nodeCondition(node, policy) !== undefined)
  const sick = nodes.filter((node) => isolation.guard('Node', 'node-repair', node, () => isSick(node), false)).length
  return sick > Math.ceil((MOST_UNHEALTHY_PERCENT * nodes.length) / 100)
}

export const nodeRepairMetrics = defineMetrics({
  repaired: {
    name: 'karpenter_nodeclaims_unhealthy_disrupted_total',
    type: 'counter',
    help: 'NodeClaims deleted because their node was unhealthy.',
    labels: ['condition', 'nodepool', 'capacity_type', 'image_id'],
  },
})

/**
 * Deletes the claims of nodes that have been unhealthy for longer than the provider's policies tolerate (controller `node.health`,
 * with the feature gate NodeRepair). Ignores budgets, PodDisruptionBudgets and do-not-disrupt, but does nothing while too many
 * nodes are unhealthy (`docs/spec/node-repair.md#repair`).
 */
export class NodeRepair {
  readonly #sickness = new SicknessRecord()
  readonly #isolation
  readonly #links
  readonly #settings
  readonly #pools
  readonly #events
  readonly #clock
  readonly #client
  readonly #deletion
  readonly #repaired
  readonly #log
  readonly #provider

  constructor(deps: Deps) {
    const { client, clock, events, informers, metrics, provider, settings } = deps
    this.#isolation = processIsolation(deps)
    this.#links = new ClaimNodes(informers)
    this.#pools = informers.of(karpenterKinds.NodePool)
    this.#deletion = new ClaimDeletion(deps)
    this.#log = deps.log.child('node.health', { controller: 'node.health' })
    this.#repaired = nodeRepairMetrics.register(metrics).repaired
    this.#settings = settings
    this.#events = events
    this.#clock = clock
    this.#client = client
    this.#provider = provider
  }

  controller(): Controller {
    return {
      name: 'node.health',
      reconciles: kinds.Node,
      sources: this.#links.nodeSources(),
      concurrency: concurrency(this.#settings, 10, 1_000),
      backoff: { base: 100, max: 60_000 },
      rate: { qps: 10, burst: 100 },
      reconcile: (key, signal) => this.#reconcile(key, signal),
    }
  }

  #reportBlocked(node: Node, claim: NodeClaim, pool: string | undefined): void {
    const owner = pool === undefined ? undefined : this.#pools.get(pool)
    if (pool !== undefined && owner === undefined) return
    const message =
      pool === undefined
        ? 'more then 20% nodes are unhealthy in the cluster'
        : 'more than 20% nodes are unhealthy in the nodepool'
    for (const { metadata } of [node, claim, ...(owner === undefined ? [] : [owner])]) {
      this.#events.publish({
        object: eventObject(kinds.Node, node),
        type: 'Warning',
        reason: 'NodeRepairBlocked',
        message,
        dedupeValues: [metadata.uid ?? ''],
        dedupeFor: REPORT_EVERY,
      })
    }
  }

  /** Sets the termination deadline to the current time, so that the drain of an unhealthy node does not wait for its pods. */
  async #setDeadlineToNow(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const deadline = parseTime(claim.metadata.annotations?.[annotations.terminationTimestamp])
    if (deadline !== undefined && deadline <= this.#clock.now()) return
    const body = { metadata: { annotations: { [annotations.terminationTimestamp]: formatTime(this.#clock.now()) } } }
    const ref = { name: claim.metadata.name }
    try {
      await this.#client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body }, { signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  async #repair(node: Node, claim: NodeClaim, unhealthy: Unhealthy, signal: AbortSignal): Promise<void> {
    await this.#setDeadlineToNow(claim, signal)
    if (claim.metadata.deletionTimestamp !== undefined) return
    const pods = this.#links.podsOn(node.metadata.name)
    if (!(await this.#deletion.delete(claim, 'unhealthy', { pods, signal }))) return
    const carried = node.metadata.labels ?? {}
    const { type, status } = unhealthy.condition
    this.#repaired.inc({
      condition: type.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase(),
      nodepool: carried[labels.nodePool] ?? '',
      capacity_type: carried[labels.capacityType] ?? '',
      image_id: claim.status?.imageID ?? '',
    })
    this.#log.info('deleting unhealthy node', { Node: { name: node.metadata.name }, condition: type, status })
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    const node = this.#links.nodes.get(name)
    const claim = node === undefined ? undefined : this.#links.claimOf(node)
    if (node === undefined) this.#sickness.forget(name)
    if (node === undefined || claim === undefined || !isManagedClaim(this.#provider, claim)) return done()
    const now = this.#clock.now()
    const begun = (condition: NodeCondition): Milliseconds | undefined => this.#sickness.begun(name, condition, now)
    const unhealthy = findUnhealthyCondition(node, this.#provider.repairPolicies, begun)
    if (unhealthy === undefined) {
      this.#sickness.healthy(name, now)
      return done()
    }
    const left = unhealthy.until - this.#clock.now()
    if (left > 0) return retryAfter(left)
    if (this.#clock.problem !== undefined) return retryAfter(CLOCK_RETRY)
    const pool = claim.metadata.labels?.[labels.nodePool]
    const isPeer = (other: Node): boolean => pool === undefined || other.metadata.labels?.[labels.nodePool] === pool
    const peers = [...this.#links.nodes.values()].filter((other) =>
      this.#isolation.guard('Node', 'node-repair', other, () => isPeer(other), false),
    )
    if (isBreakerOpen(peers, this.#provider.repairPolicies, this.#isolation)) {
      this.#reportBlocked(node, claim, pool)
      return retryAfter(BLOCKED_FOR)
    }
    const owner = pool === undefined ? undefined : this.#pools.get(pool)
    if (owner !== undefined && isObserving(owner)) return retryAfter(BLOCKED_FOR)
    try {
      await this.#repair(node, claim, unhealthy, signal)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
    return done()
  }
}
