import { type DashboardCase, readyClass, resourceSchema } from '@kerf/provider-contract/dashboard/testing'
import { bizflyNodeClassResource } from '../src/node-class/bizfly-node-class.ts'

/** A typical node class. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'Bizfly Cloud',
    plural: 'bizflycloudnodeclasses',
    schema: resourceSchema(bizflyNodeClassResource),
    example: readyClass('karpenter.bizflycloud.com/v1', 'BizflyCloudNodeClass', {
      region: 'HN',
      zones: ['HN1', 'HN2'],
      template: 'worker-1.31',
      nodeCategories: ['premium'],
      diskTypes: ['SSD'],
      rootDiskSize: 40,
      vpcNetworkIds: ['net-1'],
    }),
    shown: ['premium', 'HN1, HN2', 'net-1'],
    mistake: ['rootDiskSize: 40', 'rootDiskSize: 10', 'spec.rootDiskSize: Invalid value'],
  },
]
