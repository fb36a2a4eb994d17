import { karpenterKinds, labels, type NodeClaim, type Pod, tryParseDuration } from '@kerf/apis'
import { claimDeletionMetrics } from '@kerf/provider-contract'
import { defineMetrics, isConflict, isNotFound, type KubeClient, type Metrics } from '@kerf/runtime'
import { isReschedulable } from '../pod/pod-predicates.ts'

/** Why Kerf deletes NodeClaims: the values of the label `reason` of `karpenter_nodeclaims_disrupted_total`. */
export const claimDeletionReasons = [
  'expired',
  'garbage_collected',
  'insufficient_capacity',
  'nodeclass_not_ready',
  'launch_timeout',
  'registration_timeout',
  'unhealthy',
  'asleep',
  'underutilized',
  'empty',
  'drifted',
] as const

export type DeletionReason = (typeof claimDeletionReasons)[number]

/** How often a claim is read again if it keeps changing. After that, it is deleted without a resourceVersion precondition. */
const MOST_READS = 5

export const podDisruptionMetrics = defineMetrics({
  initiated: {
    name: 'karpenter_pods_disruption_initiated_total',
    type: 'counter',
    help: 'Reschedulable pods on disrupted NodeClaims, by reason, NodePool and termination mode.',
    labels: ['reason', 'nodepool', 'capacity_type', 'consolidation_policy', 'termination_mode'],
  },
})

/**
 * Returns how termination treats the pods: it depends on the claim's terminationGracePeriod
 * (`docs/spec/termination.md#where-terminationgraceperiod-also-matters`).
 */
const claimTerminationMode = (claim: NodeClaim): 'graceful' | 'eventual' | 'forceful' => {
  const period = claim.spec.terminationGracePeriod
  if (period === undefined) return 'graceful'
  return (tryParseDuration(period) ?? 0) <= 0 ? 'forceful' : 'eventual'
}

/** Deletes NodeClaims and counts the deletions by reason. */
export class ClaimDeletion {
  readonly #client: Pick<KubeClient, 'get' | 'delete'>
  readonly #disrupted
  readonly #pods

  constructor({ client, metrics }: { readonly client: Pick<KubeClient, 'get' | 'delete'>; readonly metrics: Metrics }) {
    this.#client = client
    this.#disrupted = claimDeletionMetrics.register(metrics).disrupted
    this.#pods = podDisruptionMetrics.register(metrics).initiated
  }

  /**
   * Deletes this claim, but not a later claim of the same name. Returns whether this call deleted the claim. Only this call counts the
   * deletion, because a lagging informer may still show a deleted claim. If the response is lost, the deletion is not counted. If `pods`
   * (the pods on the claim's node) is set, also counts the reschedulable pods.
   */
  async delete(
    claim: NodeClaim,
    reason: DeletionReason,
    options: { readonly pods?: readonly Pod[]; readonly consolidationPolicy?: string; readonly signal: AbortSignal },
  ): Promise<boolean> {
    if (!(await this.#isFirst(claim, options.signal))) return false
    const series = {
      reason,
      nodepool: claim.metadata.labels?.[labels.nodePool] ?? '',
      capacity_type: claim.metadata.labels?.[labels.capacityType] ?? '',
      consolidation_policy: options.consolidationPolicy ?? '',
      termination_mode: claimTerminationMode(claim),
    }
    this.#disrupted.inc(series)
    if (options.pods !== undefined) this.#pods.inc(series, options.pods.filter(isReschedulable).length)
    return true
  }

  /**
   * Deletes the claim with its resourceVersion as a precondition. If several callers delete it at the same time, only one of them gets
   * true.
   */
  async #isFirst(claim: NodeClaim, signal: AbortSignal): Promise<boolean> {
    const ref = { name: claim.metadata.name }
    const { uid } = claim.metadata
    let version = claim.metadata.resourceVersion
    for (let attempt = 1; ; attempt++) {
      const preconditions = {
        ...(uid === undefined ? {} : { uid }),
        ...(version === undefined || attempt > MOST_READS ? {} : { resourceVersion: version }),
      }
      try {
        await this.#client.delete(karpenterKinds.NodeClaim, ref, { signal, preconditions })
        return true
      } catch (error) {
        if (isNotFound(error)) return false
        if (!isConflict(error) || attempt > MOST_READS) throw error
      }
      try {
        const { metadata } = await this.#client.get(karpenterKinds.NodeClaim, ref, { signal })
        if (metadata.uid !== uid || metadata.deletionTimestamp !== undefined) return false
        version = metadata.resourceVersion
      } catch (error) {
        if (isNotFound(error)) return false
        throw error
      }
    }
  }
}
