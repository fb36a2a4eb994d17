import { groupVersion } from '@kerf/apis'
import { columnTitles, type NodeClassDescriptor } from '@kerf/provider-contract'
import { ecsNodeClassMeanings } from './condition-meanings.ts'
import { ecsNodeClassConditions } from './conditions.ts'
import { type ECSNodeClass, ecsNodeClassKind, ecsNodeClassResource } from './ecs-node-class.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from './hash.ts'

const byTag = [{ tags: { 'karpenter.sh/discovery': 'demo' } }] as const

/** The description of ECSNodeClass that the rest of Kerf uses. */
export const ecsNodeClassDescriptor: NodeClassDescriptor<ECSNodeClass> = {
  resource: ecsNodeClassResource,
  conditions: ecsNodeClassConditions,
  conditionMeanings: ecsNodeClassMeanings,
  hash: { version: NODE_CLASS_HASH_VERSION, of: nodeClassHash },
  selectors: ['vSwitchSelectorTerms', 'securityGroupSelectorTerms', 'imageSelectorTerms'],
  typeNeutral: ['keyPairName', 'password', 'passwordInherit', 'resourceGroupId', 'tags', 'userData'],
  hashReading: {
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
  example: {
    apiVersion: groupVersion(ecsNodeClassKind),
    kind: 'ECSNodeClass',
    metadata: { name: 'default' },
    spec: {
      vSwitchSelectorTerms: byTag,
      securityGroupSelectorTerms: byTag,
      imageSelectorTerms: [{ alias: 'AlibabaCloudLinux3' }],
      systemDisk: { categories: ['cloud_essd'], volumeSize: '40Gi' },
    },
  },
}
