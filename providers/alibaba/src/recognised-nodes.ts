import { ownValue } from '@kerf/apis'
import type { NodeRecognition } from '@kerf/provider-contract'
import { parseProviderId, providerId } from './names.ts'

/** ACK's label with the ID of the node pool to which a node belongs. */
const POOL_LABEL = 'alibabacloud.com/nodepool-id'

/** The labels of Karpenter and ACK that contain the capacity type. */
const BOUGHT_LABELS = ['karpenter.sh/capacity-type', 'node.alibabacloud.com/spot-strategy']

/** How Kerf recognises ACK nodes. Their provider IDs have no scheme. They consist of the region and the instance ID. */
export const recognisedNodes: NodeRecognition = {
  isProviderId: (providerID) => parseProviderId(providerID) !== undefined,
  exampleProviderId: providerId('cn-hangzhou', 'i-bp1234567890abcdefgh'),
  capacityTypeOf: (labels) => {
    const [karpenter, strategy] = BOUGHT_LABELS.map((label) => ownValue(labels, label) ?? '')
    if (karpenter !== '') return karpenter === 'spot' ? 'spot' : 'on-demand'
    if (strategy !== '') return strategy === 'NoSpot' ? 'on-demand' : 'spot'
    return ownValue(labels, POOL_LABEL) === undefined ? undefined : 'on-demand'
  },
  groupOf: (labels) => ownValue(labels, POOL_LABEL),
  groupLabels: [{ label: POOL_LABEL }],
}
