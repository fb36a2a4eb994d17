import { annotations, formatTime, karpenterKinds, kinds, labels, type Node, type NodeClaim, timeOf } from '@kerf/apis'
import type { RepairPolicy } from '@kerf/provider-contract'
import { type Controller, done, isNotFound, type Milliseconds, type Outcome, retryAfter } from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { eventObject } from '../event-object.ts'
import { ClaimDeletion } from '../node-claims/claim-deletion.ts'
import { ClaimNodes } from '../node-claims/claim-nodes.ts'
import { isManagedClaim } from '../node-claims/ownership.ts'

/** More sick nodes than this at once are a fault of something else than the nodes. */
const MOST_UNHEALTHY_PERCENT = 20
const BLOCKED_FOR: Milliseconds = 300_000
const TELL_EVERY: Milliseconds = 900_000

type NodeCondition = NonNullable<NonNullable<Node['status']>['conditions']>[number]

interface Illness {
  readonly condition: NodeCondition
  /** When patience with it ends. */
  readonly until: Milliseconds
}

const conditionOf = (node: Node, policy: RepairPolicy): NodeCondition | undefined =>
  node.status?.conditions?.find(
    ({ type, status }) => type === policy.conditionType && status === policy.conditionStatus,
  )

/** The illness that patience ends with first. */
export const illnessOf = (node: Node, policies: readonly RepairPolicy[]): Illness | undefined => {
  let first: Illness | undefined
  for (const policy of policies) {
    const condition = conditionOf(node, policy)
    const since = timeOf(condition?.lastTransitionTime)
    if (condition === undefined || since === undefined) continue
    const until = since + policy.toleration
    if (first === undefined || until < first.until) first = { condition, until }
  }
  return first
}

/** Whether so many of the nodes are sick that none may be repaired. One in five, rounded up, is bearable. */
export const isBreakerOpen = (nodes: readonly Node[], policies: readonly RepairPolicy[]): boolean => {
  const sick = nodes.filter((node) => policies.some((policy) => conditionOf(node, policy) !== undefined)).length
  return sick > Math.ceil((MOST_UNHEALTHY_PERCENT * nodes.length) / 100)
}

/**
 * `node.health`, with the gate NodeRepair: deletes the claims of nodes that have been sick for longer than the provider's
 * policies bear, past budgets, PodDisruptionBudgets and do-not-disrupt, unless too many are sick at once
 * (`docs/spec/node-repair.md#repair`).
 */
export const nodeRepair = (deps: Deps): Controller => {
  const { client, clock, events, informers, metrics, provider, settings } = deps
  const links = new ClaimNodes(informers)
  const pools = informers.of(karpenterKinds.NodePool)
  const deletion = new ClaimDeletion(deps)
  const log = deps.log.child('node.health', { controller: 'node.health' })
  const repaired = metrics.counter({
    name: 'karpenter_nodeclaims_unhealthy_disrupted_total',
    help: 'Nodeclaims deleted because their node was unhealthy.',
    labels: ['condition', 'nodepool', 'capacity_type', 'image_id'],
  })

  const tellBlocked = (node: Node, claim: NodeClaim, pool: string | undefined): void => {
    const owner = pool === undefined ? undefined : pools.get(pool)
    if (pool !== undefined && owner === undefined) return
    const message =
      pool === undefined
        ? 'more then 20% nodes are unhealthy in the cluster'
        : 'more than 20% nodes are unhealthy in the nodepool'
    for (const { metadata } of [node, claim, ...(owner === undefined ? [] : [owner])]) {
      events.publish({
        object: eventObject(kinds.Node, node),
        type: 'Warning',
        reason: 'NodeRepairBlocked',
        message,
        dedupeValues: [metadata.uid ?? ''],
        dedupeFor: TELL_EVERY,
      })
    }
  }

  /** Nothing of the node's end may take time: what runs on it does not run. */
  const endPatience = async (claim: NodeClaim, signal: AbortSignal): Promise<void> => {
    const deadline = timeOf(claim.metadata.annotations?.[annotations.terminationTimestamp])
    if (deadline !== undefined && deadline <= clock.now()) return
    const body = { metadata: { annotations: { [annotations.terminationTimestamp]: formatTime(clock.now()) } } }
    const ref = { name: claim.metadata.name ?? '' }
    try {
      await client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body }, { signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  const repair = async (node: Node, claim: NodeClaim, illness: Illness, signal: AbortSignal): Promise<void> => {
    await endPatience(claim, signal)
    if (claim.metadata.deletionTimestamp !== undefined) return
    const pods = links.podsOn(node.metadata.name ?? '')
    if (!(await deletion.delete(claim, 'unhealthy', { pods, signal }))) return
    const carried = node.metadata.labels ?? {}
    const { type, status } = illness.condition
    repaired.inc({
      condition: type.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase(),
      nodepool: carried[labels.nodePool] ?? '',
      capacity_type: carried[labels.capacityType] ?? '',
      image_id: claim.status?.imageID ?? '',
    })
    log.info('deleting unhealthy node', { Node: { name: node.metadata.name }, condition: type, status })
  }

  const reconcile = async (name: string, signal: AbortSignal): Promise<Outcome> => {
    const node = links.nodes.get(name)
    const claim = node === undefined ? undefined : links.claimOf(node)
    if (node === undefined || claim === undefined || !isManagedClaim(provider, claim)) return done()
    const illness = illnessOf(node, provider.repairPolicies)
    if (illness === undefined) return done()
    const left = illness.until - clock.now()
    if (left > 0) return retryAfter(left)
    const pool = claim.metadata.labels?.[labels.nodePool]
    const peers = [...links.nodes.values()].filter(
      ({ metadata }) => pool === undefined || metadata.labels?.[labels.nodePool] === pool,
    )
    if (isBreakerOpen(peers, provider.repairPolicies)) {
      tellBlocked(node, claim, pool)
      return retryAfter(BLOCKED_FOR)
    }
    try {
      await repair(node, claim, illness, signal)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
    return done()
  }

  return {
    name: 'node.health',
    reconciles: kinds.Node,
    sources: links.nodeSources(),
    concurrency: concurrency(settings, 10, 1_000),
    backoff: { base: 100, max: 60_000 },
    rate: { qps: 10, burst: 100 },
    reconcile,
  }
}
