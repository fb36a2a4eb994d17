import { ownValue } from '@kerf/apis'
import type { NodeRecognition } from '@kerf/provider-contract'
import { parseProviderId, providerId } from './names.ts'

/** The label of ACK with the ID of a node's ACK node pool. */
const POOL_LABEL = 'alibabacloud.com/nodepool-id'

/** The labels of Karpenter and ACK that contain the capacity type. */
const BOUGHT_LABELS = ['karpenter.sh/capacity-type', 'node.alibabacloud.com/spot-strategy']

/** How to recognise nodes of ACK. Their provider IDs have no scheme: region and instance ID. */
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
