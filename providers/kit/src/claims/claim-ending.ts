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
 * Returns a function that deletes a NodeClaim because of an action of the cloud, and that counts the deletion by reason in the core's
 * counter. The action has happened to the instance or will happen. The function returns true if the claim existed. A claim that is already
 * gone is not counted.
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
