import { karpenterKinds, labels, type NodeClaim, type Pod, tryParseDuration } from '@kerf/apis'
import { isNotFound, type KubeClient, type Metrics } from '@kerf/runtime'
import { isReschedulable } from '../state/pod-predicates.ts'

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

const LABELS = ['reason', 'nodepool', 'capacity_type', 'consolidation_policy', 'termination_mode'] as const

/** How hard pods are treated, as the claim's terminationGracePeriod has it (`spec/disruption-and-lifecycle.md` 2.6). */
export const terminationModeOf = (claim: NodeClaim): 'graceful' | 'eventual' | 'forceful' => {
  const period = claim.spec.terminationGracePeriod
  if (period === undefined) return 'graceful'
  return (tryParseDuration(period) ?? 0) <= 0 ? 'forceful' : 'eventual'
}

/** Deletes NodeClaims and counts why. */
export class ClaimDeletion {
  readonly #client: KubeClient
  readonly #disrupted
  readonly #pods

  constructor({ client, metrics }: { readonly client: KubeClient; readonly metrics: Metrics }) {
    this.#client = client
    this.#disrupted = metrics.counter({
      name: 'karpenter_nodeclaims_disrupted_total',
      help: 'Nodeclaims disrupted, by reason, nodepool and how.',
      labels: LABELS,
    })
    this.#pods = metrics.counter({
      name: 'karpenter_pods_disruption_initiated_total',
      help: 'Reschedulable pods on disrupted nodeclaims, by reason, nodepool and how.',
      labels: LABELS,
    })
  }

  /**
   * Deletes this very claim (not a later one of its name). Answers whether it was there; only then anything is counted.
   * `pods` are those on its node: given, the reschedulable ones are counted too.
   */
  async delete(
    claim: NodeClaim,
    reason: DeletionReason,
    options: { readonly pods?: readonly Pod[]; readonly consolidationPolicy?: string; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const uid = claim.metadata.uid
    try {
      await this.#client.delete(
        karpenterKinds.NodeClaim,
        { name: claim.metadata.name ?? '' },
        { signal: options.signal, ...(uid === undefined ? {} : { preconditions: { uid } }) },
      )
    } catch (error) {
      if (isNotFound(error)) return false
      throw error
    }
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
}
