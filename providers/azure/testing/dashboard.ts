import { type DashboardCase, readyClass, resourceSchema } from '@kerf/provider-contract/dashboard/testing'
import { aksNodeClassResource } from '../src/node-class/aks-node-class.ts'

const SUBNET = '/subscriptions/1/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/net/subnets/nodes'

/** A typical class. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'Azure',
    plural: 'aksnodeclasses',
    schema: resourceSchema(aksNodeClassResource),
    example: readyClass(
      'karpenter.azure.com/v1beta1',
      'AKSNodeClass',
      {
        imageFamily: 'AzureLinux',
        vnetSubnetID: SUBNET,
        osDiskSizeGB: 128,
        maxPods: 110,
        kubelet: { cpuManagerPolicy: 'static' },
      },
      { images: [{ id: '/CommunityGalleries/AKSAzureLinux/images/V3gen2/versions/202601.1', requirements: [] }] },
    ),
    shown: ['AzureLinux', '202601.1', 'nodes', '110', '128'],
    mistake: ['maxPods: 110', 'maxPods: 251', 'spec.maxPods: Invalid value'],
  },
]
