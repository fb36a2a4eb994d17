import { groupVersion } from '@kerf/apis'
import { columnTitles, type NodeClassDescriptor } from '@kerf/provider-contract'
import { gceNodeClassMeanings } from './condition-meanings.ts'
import { gceNodeClassConditions } from './conditions.ts'
import { type GCENodeClass, gceNodeClassKind, gceNodeClassResource } from './gce-node-class.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from './hash.ts'

/** The description of GCENodeClass that the rest of Kerf uses. */
export const gceNodeClassDescriptor: NodeClassDescriptor<GCENodeClass> = {
  resource: gceNodeClassResource,
  conditions: gceNodeClassConditions,
  conditionMeanings: gceNodeClassMeanings,
  hash: { version: NODE_CLASS_HASH_VERSION, of: nodeClassHash },
  selectors: ['imageSelectorTerms'],
  typeNeutral: ['labels', 'metadata', 'networkTags', 'serviceAccount'],
  hashReading: {
    zeroIsNone: [
      'autoGPUTaint',
      'disks.boot',
      'disks.category',
      'disks.kmsKeyName',
      'disks.kmsKeyServiceAccount',
      'disks.secondaryBootImage',
      'disks.secondaryBootMode',
      'disks.sizeGiB',
      'gpuDriverVersion',
      'networkConfig.additionalNetworkInterfaces.network',
      'networkConfig.subnetwork',
      'serviceAccount',
    ],
    durations: ['kubeletConfiguration.evictionSoftGracePeriod'],
  },
  imageFamily: {
    field: 'imageFamily',
    isFieldHashed: true,
    terms: 'imageSelectorTerms',
    aliases: { ContainerOptimizedOS: 'ContainerOptimizedOS', Ubuntu: 'Ubuntu' },
    termFamilies: { ContainerOptimizedOS: 'ContainerOptimizedOS', Ubuntu2204: 'Ubuntu', Ubuntu2404: 'Ubuntu' },
    otherwise: 'Custom',
  },
  columns: [
    {
      id: 'images',
      title: columnTitles.images,
      paths: [
        ['status', 'images'],
        ['spec', 'imageSelectorTerms'],
      ],
      itemFields: ['sourceImage', 'alias', 'id', 'family'],
      isPath: true,
    },
    {
      id: 'account',
      title: { en: 'Service account', uk: 'Сервісний акаунт', zh: '服务账号' },
      paths: [['spec', 'serviceAccount']],
    },
    {
      id: 'subnet',
      title: columnTitles.subnets,
      paths: [
        ['spec', 'networkConfig', 'subnetwork'],
        ['spec', 'subnetRangeName'],
      ],
      isPath: true,
    },
  ],
  example: {
    apiVersion: groupVersion(gceNodeClassKind),
    kind: 'GCENodeClass',
    metadata: { name: 'default' },
    spec: {
      imageSelectorTerms: [{ family: 'ContainerOptimizedOS', channel: 'regular' }],
      disks: [{ category: 'pd-balanced', sizeGiB: 100, boot: true }],
      gpuDriverVersion: 'default',
    },
  },
}
