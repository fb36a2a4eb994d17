import {
  type DashboardCase,
  enumSchema,
  fields,
  flag,
  kubelet,
  list,
  matching,
  number,
  quantity,
  readyClass,
  requirements,
  selectors,
  text,
  texts,
  whole,
} from '@kerf/provider-contract/dashboard/testing'

/** A typical node class. Its schema was written for these tests from the provider's documentation of fields, types and limits. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'Alibaba Cloud',
    plural: 'ecsnodeclasses',
    schema: whole(
      fields(
        {
          vSwitchSelectorTerms: selectors,
          vSwitchSelectionPolicy: enumSchema('balanced', 'cheapest'),
          securityGroupSelectorTerms: selectors,
          imageSelectorTerms: selectors,
          kubeletConfiguration: kubelet,
          systemDisk: fields({
            categories: list(
              enumSchema('cloud', 'cloud_ssd', 'cloud_efficiency', 'cloud_essd', 'cloud_auto', 'cloud_essd_entry'),
            ),
            volumeSize: quantity,
            size: number(20),
            performanceLevel: enumSchema('PL0', 'PL1', 'PL2', 'PL3'),
          }),
          dataDisks: list(fields({ volumeSize: quantity, device: text })),
          dataDiskCategories: list(text),
          formatDataDisk: flag,
          tags: texts,
          resourceGroupId: matching('^rg-[0-9a-z]+$'),
          userData: text,
          password: text,
          keyPairName: text,
          passwordInherit: flag,
        },
        'vSwitchSelectorTerms',
        'securityGroupSelectorTerms',
      ),
      {
        vSwitches: list(fields({ id: text, zoneID: text })),
        securityGroups: list(fields({ id: text, name: text })),
        images: list(fields({ id: text, name: text, requirements })),
      },
    ),
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
    mistake: ['cloud_essd', 'cloud_fast', 'spec.systemDisk.categories[0]: Unsupported value: "cloud_fast"'],
  },
]
