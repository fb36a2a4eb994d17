import { type DashboardCase, readyClass, resourceSchema } from '@kerf/provider-contract/dashboard/testing'
import { ecsNodeClassResource } from '../src/node-class/ecs-node-class.ts'

/** A typical node class. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'Alibaba Cloud',
    plural: 'ecsnodeclasses',
    schema: resourceSchema(ecsNodeClassResource),
    example: readyClass(
      'karpenter.k8s.alibabacloud/v1alpha1',
      'ECSNodeClass',
      {
        vSwitchSelectorTerms: [{ tags: { cluster: 'demo' } }],
        securityGroupSelectorTerms: [{ tags: { cluster: 'demo' } }],
        imageSelectorTerms: [{ alias: 'AlibabaCloudLinux3@latest' }],
        systemDisk: { categories: ['cloud_essd'], volumeSize: '40Gi', performanceLevel: 'PL1' },
      },
      {
        vSwitches: [
          { id: 'vsw-1', zoneID: 'cn-hangzhou-h' },
          { id: 'vsw-2', zoneID: 'cn-hangzhou-i' },
        ],
      },
    ),
    shown: ['AlibabaCloudLinux3@latest', 'vsw-1, vsw-2', 'cn-hangzhou-h, cn-hangzhou-i'],
    mistake: ['volumeSize: 40Gi', 'volumeSizes: 40Gi', 'spec.systemDisk.volumeSizes: unknown field'],
  },
]
