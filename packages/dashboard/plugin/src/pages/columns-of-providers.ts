import { ownValue } from '@kerf/apis'
import type { Key } from '../locales/translate.ts'
import { servedNodeClassColumns } from '../model/generated/node-class-kinds.ts'
import type { NodeClassColumn } from '../model/node-class-columns.ts'

type Column = NodeClassColumn<Key>

/** The most useful fields of each provider's classes: image, role or identity, network, zone. */
const otherColumns: Readonly<Record<string, readonly Column[]>> = {
  'NodeClass.eks.amazonaws.com': [
    { id: 'role', title: 'iamRole', paths: [['spec', 'role']] },
    { id: 'subnets', title: 'subnets', paths: [['status', 'subnets']], itemFields: ['id'] },
    { id: 'zones', title: 'zones', paths: [['status', 'subnets']], itemFields: ['zone'] },
  ],
  'AKSNodeClass.karpenter.azure.com': [
    { id: 'family', title: 'imageFamily', paths: [['spec', 'imageFamily']] },
    { id: 'images', title: 'images', paths: [['status', 'images']], itemFields: ['id'], isPath: true },
    { id: 'subnet', title: 'subnets', paths: [['spec', 'vnetSubnetID']], isPath: true },
    { id: 'pods', title: 'maxPods', paths: [['spec', 'maxPods']] },
    { id: 'disk', title: 'disk', paths: [['spec', 'osDiskSizeGB']] },
  ],
  'GCENodeClass.karpenter.k8s.gcp': [
    {
      id: 'images',
      title: 'images',
      paths: [
        ['status', 'images'],
        ['spec', 'imageSelectorTerms'],
      ],
      itemFields: ['sourceImage', 'alias', 'id', 'family'],
      isPath: true,
    },
    { id: 'account', title: 'serviceAccount', paths: [['spec', 'serviceAccount']] },
    {
      id: 'subnet',
      title: 'subnets',
      paths: [
        ['spec', 'networkConfig', 'subnetwork'],
        ['spec', 'subnetRangeName'],
      ],
      isPath: true,
    },
  ],
  'ECSNodeClass.karpenter.k8s.alibabacloud': [
    {
      id: 'images',
      title: 'images',
      paths: [
        ['status', 'images'],
        ['spec', 'imageSelectorTerms'],
      ],
      itemFields: ['name', 'alias', 'id'],
    },
    { id: 'vswitches', title: 'subnets', paths: [['status', 'vSwitches']], itemFields: ['id'] },
    { id: 'zones', title: 'zones', paths: [['status', 'vSwitches']], itemFields: ['zoneID'] },
  ],
  'OciNodeClass.karpenter.k8s.oracle': [
    {
      id: 'images',
      title: 'images',
      paths: [
        ['status', 'images'],
        ['spec', 'imageSelector'],
      ],
      itemFields: ['name', 'id'],
    },
    {
      id: 'subnets',
      title: 'subnets',
      paths: [
        ['status', 'subnets'],
        ['spec', 'subnetSelector'],
      ],
      itemFields: ['name', 'id'],
    },
  ],
  'ProxmoxNodeClass.karpenter.proxmox.sinextra.dev': [
    { id: 'template', title: 'template', paths: [['spec', 'instanceTemplateRef', 'name']] },
    { id: 'region', title: 'region', paths: [['spec', 'region']] },
    { id: 'zones', title: 'zones', paths: [['status', 'resources', 'zones']] },
    { id: 'pool', title: 'resourcePool', paths: [['spec', 'resourcePool']] },
  ],
  'BizflyCloudNodeClass.karpenter.bizflycloud.com': [
    { id: 'template', title: 'template', paths: [['spec', 'template']] },
    { id: 'region', title: 'region', paths: [['spec', 'region']] },
    { id: 'zones', title: 'zones', paths: [['spec', 'zones']] },
    { id: 'networks', title: 'subnets', paths: [['spec', 'vpcNetworkIds']] },
  ],
}

const columnsByKind: Readonly<Record<string, readonly Column[]>> = { ...otherColumns, ...servedNodeClassColumns }

/** Returns the additional columns of a kind of node class, or none for an unknown kind. */
export const columnsOf = (group: string, kind: string): readonly Column[] =>
  ownValue(columnsByKind, `${kind}.${group}`) ?? []
