import {
  type DashboardCase,
  enumSchema,
  fields,
  list,
  number,
  readyClass,
  text,
  whole,
} from '@kerf/provider-contract/dashboard/testing'

/** A typical node class. Its schema was written for these tests from the provider's documentation of fields, types and limits. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'Bizfly Cloud',
    plural: 'bizflycloudnodeclasses',
    schema: whole(
      fields(
        {
          region: text,
          zones: list(text),
          template: text,
          osType: list(enumSchema('flatcar', 'ubuntu')),
          nodeCategories: list(enumSchema('basic', 'premium', 'enterprise', 'dedicated')),
          cpuVendors: list(enumSchema('Intel2', 'AMD4')),
          sshKeyName: text,
          sshKeys: list(text),
          diskTypes: list(enumSchema('SSD', 'HDD')),
          rootDiskSize: { ...number(20), default: 40 },
          networkPlans: list(enumSchema('free_datatransfer', 'free_bandwidth')),
          vpcNetworkIds: list(text),
          placementStrategy: fields({ spread: fields({ zones: list(text) }) }),
          tags: list(text),
          metadataOptions: fields({ type: text }),
          securityGroups: list(fields({ securityGroupID: text })),
        },
        'template',
      ),
      { lastUpdated: text, instanceTypes: list(text), regions: list(text) },
    ),
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
