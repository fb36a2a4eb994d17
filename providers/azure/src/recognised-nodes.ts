import { ownValue } from '@kerf/apis'
import type { NodeRecognition } from '@kerf/provider-contract'

/** Labels of AKS and Karpenter that contain the capacity type. AKS sets such a label only on spot nodes. */
const BOUGHT_LABELS = ['karpenter.sh/capacity-type', 'kubernetes.azure.com/scalesetpriority']

/** The label of AKS with the name of a node's AKS pool. */
const POOL_LABEL = 'kubernetes.azure.com/agentpool'

/** Recognises AKS nodes. */
export const recognisedNodes: NodeRecognition = {
  isProviderId: (providerID) => providerID.startsWith('azure://'),
  exampleProviderId: 'azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/node-1',
  capacityTypeOf: (labels) => {
    const bought = BOUGHT_LABELS.map((label) => ownValue(labels, label)).find(
      (value) => value !== undefined && value !== '',
    )
    if (bought === 'spot') return 'spot'
    return bought === undefined && labels[POOL_LABEL] === undefined ? undefined : 'on-demand'
  },
  groupOf: (labels) => labels[POOL_LABEL] ?? labels['agentpool'],
  groupLabels: [{ label: POOL_LABEL }],
}
