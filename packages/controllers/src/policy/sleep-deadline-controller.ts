import {
  annotations,
  formatTime,
  karpenterKinds,
  type Milliseconds,
  type NodeClaim,
  type NodePool,
  type NodePoolPolicy,
  type Pod,
  policyKinds,
  tryParseDuration,
} from '@kerf/apis'
import { type Controller, done, isNotFound, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { isObserving } from '../modes/observe/observations.ts'
import { readOperations } from '../modes/pool-operation.ts'
import { ClaimDeletion } from '../nodeclaim/claim-deletion.ts'
import { terminationDeadline } from '../nodeclaim/deadline.ts'
import { readOnlySource } from '../read-only-source.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import { ifReadable } from '../state/isolation/if-readable.ts'
import { sleepDeadline } from '../state/pool-policies/sleep-deadline.ts'
import type { StateNode } from '../state/state-node.ts'

const EVERY: Milliseconds = 10_000
/** The grace period of pods whose spec has none. */
const DEFAULT_GRACE = 30

/** Returns the longest grace period of these pods. */
const longestGrace = (pods: readonly Pod[]): Milliseconds =>
  Math.max(0, ...pods.map(({ spec }) => spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE)) * 1_000

/** Returns whether Kerf may delete the claim of this node at the deadline. Annotations of the node's pods have no influence. */
const mayEnd = ({ node, annotations: own }: StateNode, claim: NodeClaim): boolean =>
  node !== undefined &&
  own[annotations.doNotDisrupt] !== 'true' &&
  claim.metadata.annotations?.[annotations.doNotDisrupt] !== 'true'

/**
 * Terminates the remaining nodes of sleeping NodePools in time for the deadline (controller `policy.sleepdeadline`,
 * `docs/spec/policies.md#deadline-of-sleep`). As with terminationGracePeriod, this ignores disruption budgets, PodDisruptionBudgets and the
 * do-not-disrupt annotation of pods. Every pod gets its full grace period.
 */
export const sleepDeadlineController = (
  deps: Deps,
  state: Pick<ClusterState, 'poolPolicies' | 'poolNodes'>,
): Controller => {
  const { client, clock, informers, log: parent } = deps
  const log = parent.child('policy.sleepdeadline', { controller: 'policy.sleepdeadline' })
  const policies = informers.optional(policyKinds.NodePoolPolicy)
  const pools = informers.of(karpenterKinds.NodePool)
  const deletion = new ClaimDeletion(deps)

  /** Writes the deadline at which the pods of a deleted claim must be gone. Does not replace an earlier deadline. */
  const writeDeadline = async (claim: NodeClaim, pods: readonly Pod[], signal: AbortSignal): Promise<void> => {
    const now = clock.now()
    const own = tryParseDuration(claim.spec.terminationGracePeriod ?? '') ?? Number.POSITIVE_INFINITY
    // If the deadline of the claim is invalid, Kerf does not terminate the node by force until a user corrects it. This claim must not
    // delay the others.
    const present = ifReadable(() => terminationDeadline(claim) ?? Number.POSITIVE_INFINITY)
    if (present === undefined) return
    // The annotation has a resolution of one second. Rounding down would shorten the grace period of a pod.
    const deadline = Math.ceil((now + Math.min(longestGrace(pods), own)) / 1_000) * 1_000
    if (present <= deadline) return
    const body = { metadata: { annotations: { [annotations.terminationTimestamp]: formatTime(deadline) } } }
    const ref = { name: claim.metadata.name }
    try {
      await client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body }, { signal })
      log.info('terminating node of a sleeping NodePool', { NodeClaim: ref, deadline: formatTime(deadline) })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  const endNodes = async (pool: NodePool, deadline: Milliseconds, signal: AbortSignal): Promise<void> => {
    for (const each of [...state.poolNodes(pool.metadata.name)]) {
      const { claim, pods } = each
      if (claim === undefined || clock.now() < deadline - longestGrace(pods)) continue
      const isDeleted = claim.metadata.deletionTimestamp !== undefined
      if (!isDeleted && (!mayEnd(each, claim) || !(await deletion.delete(claim, 'asleep', { pods, signal })))) continue
      // The deadline is written after the deletion. If it were written first and the deletion failed, the deadline would later cut another
      // drain short.
      await writeDeadline(claim, pods, signal)
    }
  }

  return {
    name: 'policy.sleepdeadline',
    // The CRD of policies may be missing, so the controller must not wait for it.
    sources: [readOnlySource(informers, karpenterKinds.NodePool)],
    subscribe: (enqueue) => policies.onChange(({ before, after }) => enqueue((after ?? before)?.metadata.name ?? '')),
    concurrency: 1,
    reconcile: async (name, signal) => {
      const policy: NodePoolPolicy | undefined = policies.get(name)
      if (policy?.spec.sleep?.deadline === undefined) return done()
      const { applied } = state.poolPolicies.attached
      // While the clock may be wrong, Kerf must not terminate a node because of the time.
      if (clock.problem !== undefined) return retryAfter(EVERY)
      for (const [poolName, sleep] of state.poolPolicies.sleep(clock.now()).pools) {
        if (applied.sleep.get(poolName)?.metadata.name !== name) continue
        const pool = pools.get(poolName)
        const deadline = sleepDeadline(policy, poolName, sleep)
        if (pool === undefined || deadline === undefined) continue
        if (isObserving(pool) || readOperations(pool).pause !== undefined) continue
        await endNodes(pool, deadline, signal)
      }
      return retryAfter(EVERY)
    },
  }
}
