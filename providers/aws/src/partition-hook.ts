import type { NodeLifecycleHook } from '@kerf/provider-contract'
import type { AwsDeps } from './aws-deps.ts'
import { parseProviderId } from './instances/provider-id.ts'
import { awsLabels } from './label-names.ts'

const WAIT = 5_000

/**
 * Delays the registration of a node in a partition placement group until its partition is known, because the partition label affects how
 * pods are spread (`providers/aws/docs/spec/aws.md#placement-groups`). EC2 returns the partition only after it has created the instance.
 */
export const partitionHook = ({ instances, context }: Pick<AwsDeps, 'instances' | 'context'>): NodeLifecycleHook => ({
  name: 'placement-group-partition',
  registered: async (claim, signal) => {
    const { placementGroupId, placementGroupPartition } = awsLabels
    const groupId = claim.metadata.labels?.[placementGroupId]
    const known = claim.metadata.labels?.[placementGroupPartition]
    if (groupId === undefined || known !== '') return { ready: true }
    const id = parseProviderId(claim.status?.providerID)
    if (id === undefined) return { ready: false, retryAfter: WAIT }
    const { placement } = await instances.get(id.instanceId, 'cloud', signal)
    if (placement?.partition === undefined) {
      context.log.debug('the partition of an instance is not known yet', { NodeClaim: { name: claim.metadata.name } })
      return { ready: false, retryAfter: WAIT }
    }
    return { ready: true, labels: { [placementGroupPartition]: placement.partition } }
  },
})
