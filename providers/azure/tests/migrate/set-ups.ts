import { autoscaler } from '../../../../tests/integration/migrate/objects.ts'
import type { SetUp } from '../../../../tests/integration/migrate/set-up.ts'

const pool = (name: string, rest: object) => ({
  name,
  type: 'VirtualMachineScaleSets',
  vmSize: 'Standard_D4s_v5',
  osType: 'Linux',
  osSku: 'Ubuntu',
  osDiskSizeGb: 128,
  mode: 'User',
  count: 2,
  minCount: 0,
  maxCount: 6,
  enableAutoScaling: true,
  maxPods: 50,
  availabilityZones: ['1', '2'],
  ...rest,
})

/** A typical cluster, as an export of AKS. */
export const setUps: readonly SetUp[] = [
  {
    name: 'AKS: a system pool, a pool on spot and one with a kubelet of its own',
    documents: [
      {
        id: '/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/shop',
        name: 'shop',
        location: 'westeurope',
        resourceGroup: 'rg',
        agentPoolProfiles: [
          pool('system', { mode: 'System', minCount: 2 }),
          pool('spot', {
            scaleSetPriority: 'Spot',
            nodeTaints: ['kubernetes.azure.com/scalesetpriority=spot:NoSchedule'],
            upgradeSettings: { maxUnavailable: '1' },
          }),
          pool('tuned', {
            kubeletConfig: { cpuManagerPolicy: 'static', containerLogMaxSizeMb: 20 },
            nodeLabels: { tier: 'web' },
            enableFips: true,
            tags: { owner: 'ops' },
          }),
        ],
      },
      autoscaler(['--cloud-provider=azure', '--scale-down-delay-after-add=20m']),
    ],
  },
]
