import { karpenterKinds, labels, type NodeClaim, tryParseDuration } from '@kerf/apis'
import { claimDeletionMetrics } from '@kerf/provider-contract'
import type { KubeClient, Metrics } from '@kerf/runtime'
import { deleteObject } from '../objects/delete-object.ts'

/**
 * Returns the value of the metric label for how pods are evicted (`docs/spec/termination.md#where-terminationgraceperiod-also-matters`).
 */
const claimMode = ({ spec: { terminationGracePeriod: period } }: NodeClaim): string => {
  if (period === undefined) return 'graceful'
  return (tryParseDuration(period) ?? 0) <= 0 ? 'forceful' : 'eventual'
}

/**
 * Returns a function that deletes a NodeClaim because the cloud has ended its instance or soon will. The function counts the deletion by
 * reason in the core's counter, and returns true. If the claim is already gone, it counts nothing and returns false.
 *
 * @throws ApiError if the API server refuses the deletion, for example because another claim now has the name.
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
      termination_mode: claimMode(claim),
    })
    return true
  }
}
