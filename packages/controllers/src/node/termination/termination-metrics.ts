import { findCondition, labels, type Node, type NodeClaim, ownValue, parseTime } from '@kerf/apis'
import { type Clock, defineMetrics, type Metrics } from '@kerf/runtime'
import { SUMMARY_QUANTILES } from '../../metric-buckets.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const LIFETIME_BUCKETS: readonly number[] = [
  ...[15, 30, 45].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 6, 8, 10, 12, 16, 20].map((hours) => hours * HOUR),
  ...[1, 2, 3, 5, 10, 15, 20, 25, 30].map((days) => days * DAY),
]
const doubling = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => 2 ** index)

export const terminationMetrics = defineMetrics({
  nodeDuration: {
    name: 'karpenter_nodes_termination_duration_seconds',
    type: 'summary',
    help: 'From the deletion request of a Node until it is removed.',
    labels: ['nodepool'],
    percentiles: SUMMARY_QUANTILES,
  },
  nodesTerminated: {
    name: 'karpenter_nodes_terminated_total',
    type: 'counter',
    help: 'Nodes terminated, by NodePool and zone.',
    labels: ['nodepool', 'zone'],
  },
  nodeLifetime: {
    name: 'karpenter_nodes_lifetime_duration_seconds',
    type: 'histogram',
    help: 'The age of Nodes when they terminate.',
    labels: ['nodepool'],
    buckets: LIFETIME_BUCKETS,
  },
  nodesDrained: {
    name: 'karpenter_nodes_drained_total',
    type: 'counter',
    help: 'Nodes drained, by NodePool.',
    labels: ['nodepool'],
  },
  instanceDuration: {
    name: 'karpenter_nodeclaims_instance_termination_duration_seconds',
    type: 'histogram',
    help: 'From the request to terminate an instance until it is terminated.',
    labels: ['nodepool'],
    buckets: doubling(11),
  },
  claimDuration: {
    name: 'karpenter_nodeclaims_termination_duration_seconds',
    type: 'histogram',
    help: 'From the deletion request of a NodeClaim until it is removed.',
    labels: ['nodepool'],
    buckets: doubling(12),
  },
  claimsTerminated: {
    name: 'karpenter_nodeclaims_terminated_total',
    type: 'counter',
    help: 'NodeClaims terminated, by NodePool, capacity type and zone.',
    labels: ['nodepool', 'capacity_type', 'zone'],
  },
})

/** Observes the metrics of terminated nodes and claims (`docs/spec/termination.md#termination-metrics`). */
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
    const registered = terminationMetrics.register(metrics)
    this.#nodeDuration = registered.nodeDuration
    this.#nodesTerminated = registered.nodesTerminated
    this.#nodeLifetime = registered.nodeLifetime
    this.#nodesDrained = registered.nodesDrained
    this.#instanceDuration = registered.instanceDuration
    this.#claimDuration = registered.claimDuration
    this.#claimsTerminated = registered.claimsTerminated
  }

  nodeDrained(node: Node): void {
    this.#nodesDrained.inc({ nodepool: objectLabel(node, labels.nodePool) })
  }

  /** Called after the finalizer was removed from the Node. */
  nodeTerminated(node: Node): void {
    const nodepool = objectLabel(node, labels.nodePool)
    this.#nodesTerminated.inc({ nodepool, zone: objectLabel(node, labels.zone) })
    this.#nodeDuration.observe(this.#secondsSince(node.metadata.deletionTimestamp), { nodepool })
    this.#nodeLifetime.observe(this.#secondsSince(node.metadata.creationTimestamp), { nodepool })
  }

  /** Called when the provider no longer knows the instance. */
  instanceTerminated(claim: NodeClaim): void {
    const ordered = findCondition(claim, 'InstanceTerminating')?.lastTransitionTime
    this.#instanceDuration.observe(this.#secondsSince(ordered), { nodepool: objectLabel(claim, labels.nodePool) })
  }

  /** Called after the finalizer was removed from the claim. */
  claimTerminated(claim: NodeClaim): void {
    const nodepool = objectLabel(claim, labels.nodePool)
    this.#claimsTerminated.inc({
      nodepool,
      capacity_type: objectLabel(claim, labels.capacityType),
      zone: objectLabel(claim, labels.zone),
    })
    this.#claimDuration.observe(this.#secondsSince(claim.metadata.deletionTimestamp), { nodepool })
  }

  #secondsSince(text: string | undefined): number {
    const since = parseTime(text)
    return since === undefined ? 0 : Math.max(0, (this.#clock.now() - since) / 1000)
  }
}

const objectLabel = (object: Node | NodeClaim, key: string): string => ownValue(object.metadata.labels, key) ?? ''
