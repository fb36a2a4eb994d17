import type { CloudNames } from '../../../../tests/simulation/runs/cloud-draws.ts'

export const azureNames: CloudNames = {
  nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
  zones: ['southcentralus-1', 'southcentralus-2'],
  types: ['Standard_E4d_v5', 'Standard_F16s_v2'],
}
