import { ownValue } from '@kerf/apis'
import type { NodeRecognition } from '@kerf/provider-contract'

/** How AKS and Karpenter say how a node was bought. AKS writes nothing on nodes that are no spot. */
const BOUGHT_LABELS = ['karpenter.sh/capacity-type', 'kubernetes.azure.com/scalesetpriority']

/** Nodes of AKS. */
export const recognisedNodes: NodeRecognition = {
  providerIdPrefix: 'azure://',
  capacityTypeOf: (labels) => {
    const bought = BOUGHT_LABELS.map((label) => ownValue(labels, label)).find(
      (value) => value !== undefined && value !== '',
    )
    if (bought === 'spot') return 'spot'
    return bought === undefined && labels['kubernetes.azure.com/agentpool'] === undefined ? undefined : 'on-demand'
  },
  groupOf: (labels) => labels['kubernetes.azure.com/agentpool'] ?? labels['agentpool'],
}
