import { karpenterKinds, labels, type NodeClaim, tryParseDuration } from '@kerf/apis'
import { claimDeletionMetrics } from '@kerf/provider-contract'
import type { KubeClient, Metrics } from '@kerf/runtime'
import { deleteObject } from '../objects/delete-object.ts'

/** How hard pods are treated (`docs/spec/termination.md#where-terminationgraceperiod-also-matters`). */
const modeOf = ({ spec: { terminationGracePeriod: period } }: NodeClaim): string => {
  if (period === undefined) return 'graceful'
  return (tryParseDuration(period) ?? 0) <= 0 ? 'forceful' : 'eventual'
}

/**
 * Deletes claims because of what the cloud does to their instances, and counts why, in the core's own counter. Answers
 * whether the claim was there; one that is gone is not counted.
 *
 * @throws ApiError when the API server refuses it, also because the name belongs to another claim by now.
 */
export const claimEnding = ({
  client,
  metrics,
}: {
  readonly client: KubeClient
  readonly metrics: Metrics
}): ((claim: NodeClaim, reason: string, signal: AbortSignal) => Promise<boolean>) => {
  const { disrupted } = claimDeletionMetrics.register(metrics)
  return async (claim, reason, signal) => {
    if (!(await deleteObject(client, karpenterKinds.NodeClaim, claim, signal))) return false
    disrupted.inc({
      reason,
      nodepool: claim.metadata.labels?.[labels.nodePool] ?? '',
      capacity_type: claim.metadata.labels?.[labels.capacityType] ?? '',
      consolidation_policy: '',
      termination_mode: modeOf(claim),
    })
    return true
  }
}
