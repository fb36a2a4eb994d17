import { columnTitles, type DisplayOnly } from '@kerf/provider-contract/dashboard'

/**
 * The node classes of Alibaba Cloud. Each drift rule was compared with the provider's own code
 * (`tests/integration/editor/class-edits/README.md`).
 */
export const display: DisplayOnly = {
  name: 'alibaba',
  title: 'Alibaba Cloud',
  dashboard: {
    kinds: [
      {
        group: 'karpenter.k8s.alibabacloud',
        kind: 'ECSNodeClass',
        plural: 'ecsnodeclasses',
        versions: ['v1alpha1'],
        columns: [
          {
            id: 'images',
            title: columnTitles.images,
            paths: [
              ['status', 'images'],
              ['spec', 'imageSelectorTerms'],
            ],
            itemFields: ['name', 'alias', 'id'],
          },
          { id: 'vswitches', title: columnTitles.subnets, paths: [['status', 'vSwitches']], itemFields: ['id'] },
          { id: 'zones', title: columnTitles.zones, paths: [['status', 'vSwitches']], itemFields: ['zoneID'] },
        ],
        drift: {
          isHashed: true,
          selectors: ['securityGroupSelectorTerms', 'vSwitchSelectorTerms'],
          // Nodes are not compared with the image that their class selects now.
          unhashed: ['imageSelectorTerms'],
          zeroIsNone: [
            'formatDataDisk',
            'keyPairName',
            'password',
            'passwordInherit',
            'resourceGroupId',
            'vSwitchSelectionPolicy',
          ],
          quantities: ['dataDisks.volumeSize', 'systemDisk.volumeSize'],
          durations: ['kubeletConfiguration.evictionSoftGracePeriod'],
        },
      },
    ],
  },
}
