import { findCondition, labels, type Node, type NodeClaim, timeOf } from '@kerf/apis'
import type { Clock, Metrics } from '@kerf/runtime'
import { SUMMARY_QUANTILES } from '../metric-buckets.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const LIFETIME_BUCKETS: readonly number[] = [
  ...[15, 30, 45].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 6, 8, 10, 12, 16, 20].map((hours) => hours * HOUR),
  ...[1, 2, 3, 5, 10, 15, 20, 25, 30].map((days) => days * DAY),
]
const doubling = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => 2 ** index)

/** What is counted when nodes and claims end (`docs/spec/termination.md#termination-metrics`). */
export class TerminationMetrics {
  readonly #clock: Clock
  readonly #nodeDuration
  readonly #nodesTerminated
  readonly #nodeLifetime
  readonly #nodesDrained
  readonly #instanceDuration
  readonly #claimDuration
  readonly #claimsTerminated

  constructor(metrics: Metrics, clock: Clock) {
    this.#clock = clock
    this.#nodeDuration = metrics.summary({
      name: 'karpenter_nodes_termination_duration_seconds',
      help: 'The time from a node’s deletion to the end of it.',
      labels: ['nodepool'],
      percentiles: SUMMARY_QUANTILES,
    })
    this.#nodesTerminated = metrics.counter({
      name: 'karpenter_nodes_terminated_total',
      help: 'Nodes terminated, by nodepool and zone.',
      labels: ['nodepool', 'zone'],
    })
    this.#nodeLifetime = metrics.histogram({
      name: 'karpenter_nodes_lifetime_duration_seconds',
      help: 'The age of nodes at their end.',
      labels: ['nodepool'],
      buckets: LIFETIME_BUCKETS,
    })
    this.#nodesDrained = metrics.counter({
      name: 'karpenter_nodes_drained_total',
      help: 'Nodes drained, by nodepool.',
      labels: ['nodepool'],
    })
    this.#instanceDuration = metrics.histogram({
      name: 'karpenter_nodeclaims_instance_termination_duration_seconds',
      help: 'The time from the order to end an instance to its end.',
      labels: ['nodepool'],
      buckets: doubling(11),
    })
    this.#claimDuration = metrics.histogram({
      name: 'karpenter_nodeclaims_termination_duration_seconds',
      help: 'The time from a nodeclaim’s deletion to the end of it.',
      labels: ['nodepool'],
      buckets: doubling(12),
    })
    this.#claimsTerminated = metrics.counter({
      name: 'karpenter_nodeclaims_terminated_total',
      help: 'Nodeclaims terminated, by nodepool, capacity type and zone.',
      labels: ['nodepool', 'capacity_type', 'zone'],
    })
  }

  nodeDrained(node: Node): void {
    this.#nodesDrained.inc({ nodepool: labelOf(node, labels.nodePool) })
  }

  /** The finalizer was taken off. */
  nodeTerminated(node: Node): void {
    const nodepool = labelOf(node, labels.nodePool)
    this.#nodesTerminated.inc({ nodepool, zone: labelOf(node, labels.zone) })
    this.#nodeDuration.observe(this.#secondsSince(node.metadata.deletionTimestamp), { nodepool })
    this.#nodeLifetime.observe(this.#secondsSince(node.metadata.creationTimestamp), { nodepool })
  }

  /** The provider no longer knows the instance. */
  instanceTerminated(claim: NodeClaim): void {
    const ordered = findCondition(claim, 'InstanceTerminating')?.lastTransitionTime
    this.#instanceDuration.observe(this.#secondsSince(ordered), { nodepool: labelOf(claim, labels.nodePool) })
  }

  /** The finalizer was taken off. */
  claimTerminated(claim: NodeClaim): void {
    const nodepool = labelOf(claim, labels.nodePool)
    this.#claimsTerminated.inc({
      nodepool,
      capacity_type: labelOf(claim, labels.capacityType),
      zone: labelOf(claim, labels.zone),
    })
    this.#claimDuration.observe(this.#secondsSince(claim.metadata.deletionTimestamp), { nodepool })
  }

  #secondsSince(text: string | undefined): number {
    const since = timeOf(text)
    return since === undefined ? 0 : Math.max(0, (this.#clock.now() - since) / 1000)
  }
}

const labelOf = (object: Node | NodeClaim, key: string): string => object.metadata.labels?.[key] ?? ''
