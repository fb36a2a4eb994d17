import type { Milliseconds, Pod, UsdPerHour } from '@kerf/apis'
import { type CandidateBlocker, isWaivableBlocker, NODE_BASE_COST, nodeBlockers, nodePrice } from '@kerf/engine'
import { readOperations } from '../../modes/pool-operation.ts'
import { evictionCost } from '../../pod/eviction-cost.ts'
import type { PodDisruptionBudgets } from '../../pod/pod-disruption-budgets.ts'
import {
  isDisruptable,
  isOwnedByDaemonSet,
  isReschedulable,
  podKey,
  readDoNotDisrupt,
} from '../../pod/pod-predicates.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { StateNode } from '../../state/state-node.ts'
import type { Candidate } from './candidate.ts'
import { type OfferedTypes, offeredType } from './offered-types.ts'

/** The assessment of a node at the start of a pass: everything that blocks its disruption, in the order of the checks. */
export interface Assessment {
  readonly state: StateNode
  readonly blockers: readonly CandidateBlocker[]
  /** Set if the node has a claim, a Node and a pool. Also set if something blocks its disruption. */
  readonly candidate?: Candidate
}

/**
 * How a disruption method treats pods that cannot be evicted. A `graceful` method disrupts a node only if all its pods can be evicted. An
 * `eventual` method also disrupts a node that has a terminationGracePeriod: when that period ends, Kerf deletes the remaining pods by
 * force.
 */
export type DisruptionClass = 'graceful' | 'eventual'

/** A reason why a pod cannot be moved. */
export type PodBlocker = Extract<CandidateBlocker, { readonly pod: string }>

/**
 * Returns what blocks disruption methods of this class. Pods do not block an `eventual` method if the node has a terminationGracePeriod.
 */
export const blockersFor = ({ blockers, state }: Assessment, method: DisruptionClass): readonly CandidateBlocker[] => {
  const endsPods = state.claim?.spec.terminationGracePeriod !== undefined
  return method === 'eventual' && endsPods ? blockers.filter((blocker) => !isWaivableBlocker(blocker)) : blockers
}

/** Returns the candidate, or undefined if disruption methods of this class must not disrupt it. */
export const candidateFor = (assessment: Assessment, method: DisruptionClass): Candidate | undefined =>
  assessment.candidate !== undefined && blockersFor(assessment, method).length === 0 ? assessment.candidate : undefined

export interface AssessmentDeps {
  readonly state: ClusterState
  readonly budgets: PodDisruptionBudgets
  /** A cost that every node adds to the price of its instance. */
  readonly nodeOverheadCost: UsdPerHour
  /** Returns whether a disruption command in progress includes this node. */
  readonly isQueued: (providerID: string) => boolean
}

const disruptionCost = (pods: readonly Pod[]): number =>
  pods.reduce((sum, pod) => sum + Math.max(0, evictionCost(pod)), NODE_BASE_COST)

/** Returns the disruption cost of a node, whether or not it is a candidate. */
export const nodeDisruption = (node: StateNode): number =>
  disruptionCost(node.pods.filter((pod) => !isOwnedByDaemonSet(pod) && isReschedulable(pod)))

/** How soon a node with a nominated pod is assessed again. Kerf cannot predict when kube-scheduler will bind the pod. */
const ASSESS_AGAIN: Milliseconds = 10_000

const expectsPods = (
  { providerID, awaitedPod }: StateNode,
  { placements }: ClusterState,
  now: Milliseconds,
): CandidateBlocker => ({
  code: 'node.nominated',
  until: Math.max(placements.expectsPodsUntil(providerID), awaitedPod === undefined ? 0 : now + ASSESS_AGAIN),
  ...(awaitedPod === undefined ? {} : { pod: podKey(awaitedPod) }),
})

/** Assesses one node (`docs/spec/disruption.md#candidates`). */
export const assess = (node: StateNode, types: OfferedTypes, deps: AssessmentDeps, now: Milliseconds): Assessment => {
  const blockers: CandidateBlocker[] = []
  const { claim, node: nodeObject, providerID, nodePool } = node
  if (deps.isQueued(providerID)) blockers.push({ code: 'command.queued' })
  if (claim === undefined) {
    const group = deps.state.others.groupOf(nodeObject)
    const owner = group === undefined ? {} : { group: group.name, shownBy: group.key }
    return { state: node, blockers: [...blockers, { code: 'node.unmanaged', ...owner }] }
  }
  if (nodeObject === undefined) return { state: node, blockers: [...blockers, { code: 'claim.no-node' }] }
  if (deps.state.hasUnreadablePods(node)) blockers.push({ code: 'node.unreadable' })
  if (!node.isInitialized) blockers.push({ code: 'node.uninitialized' })
  if (node.isMarkedForDeletion) blockers.push({ code: 'node.deleting' })
  if (deps.state.expectsPods(providerID)) blockers.push(expectsPods(node, deps.state, now))
  blockers.push(...nodeBlockers({ node: nodeObject, claim, nodePool, annotations: node.annotations }))
  const offered = nodePool === undefined ? undefined : types.get(nodePool)
  if (nodePool !== undefined && offered === undefined) blockers.push({ code: 'pool.not-found', pool: nodePool })
  const pause = offered === undefined ? undefined : readOperations(offered.pool).pause
  if (nodePool !== undefined && pause !== undefined) {
    blockers.push({ code: 'pool.paused', pool: nodePool, owner: pause.owner, until: pause.until })
  }
  blockers.push(...podBlockers(node.pods, deps.budgets, now))
  if (nodePool === undefined || offered === undefined) return { state: node, blockers }
  const reschedulable = node.pods.filter(isReschedulable)
  const type = offeredType(types, nodePool, node.labels)
  const price = nodePrice(type, node.labels)
  const candidate: Candidate = {
    state: node,
    providerID,
    name: node.name,
    node: nodeObject,
    claim,
    pool: offered.pool,
    poolName: nodePool,
    labels: node.labels,
    type,
    price: price === undefined ? undefined : price + deps.nodeOverheadCost,
    reschedulable,
    disruption: disruptionCost(reschedulable),
    ...(deps.state.poolPolicies.isAsleep(nodePool, now) ? { isAsleep: true } : {}),
  }
  return { state: node, blockers, candidate }
}

/** Returns what blocks the eviction of these pods. Also checks daemon pods and mirror pods, because do-not-disrupt applies to every pod. */
export const podBlockers = (
  pods: readonly Pod[],
  budgets: PodDisruptionBudgets,
  now: Milliseconds,
): readonly PodBlocker[] => {
  const blockers: PodBlocker[] = []
  for (const pod of pods) {
    if (isDisruptable(pod, now)) continue
    const protection = readDoNotDisrupt(pod, now)
    const until = protection.kind === 'until' ? protection.at : undefined
    blockers.push({ code: 'pod.do-not-disrupt', pod: podKey(pod), ...(until === undefined ? {} : { until }) })
  }
  for (const pod of pods) {
    const blocking = budgets.blocking(pod, 'now', now)
    const names = blocking.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    const [name] = names
    if (name === undefined) continue
    if (names.length > 1) blockers.push({ code: 'pdb.several', pod: podKey(pod), budgets: names })
    else blockers.push({ code: 'pdb.blocks', pod: podKey(pod), budget: name })
  }
  return blockers
}
