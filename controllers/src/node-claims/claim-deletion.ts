import { karpenterKinds, labels, type NodeClaim, type Pod, tryParseDuration } from '@kerf/apis'
import { claimDeletionMetrics } from '@kerf/provider-contract'
import { defineMetrics, isConflict, isNotFound, type KubeClient, type Metrics } from '@kerf/runtime'
import { isReschedulable } from '../pods/pod-predicates.ts'

/** Why a NodeClaim was deleted by Kerf: the label `reason` of `karpenter_nodeclaims_disrupted_total`. */
export type DeletionReason =
  | 'expired'
  | 'garbage_collected'
  | 'insufficient_capacity'
  | 'nodeclass_not_ready'
  | 'launch_timeout'
  | 'registration_timeout'
  | 'unhealthy'
  | 'underutilized'
  | 'empty'
  | 'drifted'

/** How often a claim that keeps changing is read again before it is deleted whatever its version. */
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
 * How hard pods are treated, as the claim's terminationGracePeriod has it
 * (`docs/spec/termination.md#where-terminationgraceperiod-also-matters`).
 */
const terminationModeOf = (claim: NodeClaim): 'graceful' | 'eventual' | 'forceful' => {
  const period = claim.spec.terminationGracePeriod
  if (period === undefined) return 'graceful'
  return (tryParseDuration(period) ?? 0) <= 0 ? 'forceful' : 'eventual'
}

/** Deletes NodeClaims and counts why. */
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
   * Deletes this very claim (not a later one of its name). Answers whether it was this call that did; only then anything is
   * counted: a mirror that lags shows a claim for a while as it was before. Where the answer got lost, it is not counted.
   * `pods` are those on its node: given, the reschedulable ones are counted too.
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
      termination_mode: terminationModeOf(claim),
    }
    this.#disrupted.inc(series)
    if (options.pods !== undefined) this.#pods.inc(series, options.pods.filter(isReschedulable).length)
    return true
  }

  /** The version that was seen is a precondition, so that of two who delete at once one is the first. */
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
