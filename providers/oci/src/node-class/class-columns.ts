import { columnTitles, type NodeClassColumn } from '@kerf/provider-contract/dashboard'

/** The dashboard's columns for both kinds of node class, and the rules by which it judges edits of their fields. */

/** The additional columns of OciNodeClass. */
export const communityColumns: readonly NodeClassColumn[] = [
  {
    id: 'images',
    title: columnTitles.images,
    paths: [
      ['status', 'images'],
      ['spec', 'imageSelector'],
    ],
    itemFields: ['name', 'id'],
  },
  {
    id: 'subnets',
    title: columnTitles.subnets,
    paths: [
      ['status', 'subnets'],
      ['spec', 'subnetSelector'],
    ],
    itemFields: ['name', 'id'],
  },
]

/** OciNodeClass fields that select cloud resources. */
export const communitySelectors: readonly string[] = [
  'imageFamily',
  'imageSelector',
  'securityGroupSelector',
  'subnetSelector',
  'vcnId',
]

/** The additional columns of OCINodeClass. */
export const oracleColumns: readonly NodeClassColumn[] = [
  {
    id: 'images',
    title: columnTitles.images,
    paths: [
      ['status', 'volume', 'images'],
      ['spec', 'volumeConfig', 'bootVolumeConfig', 'imageConfig', 'imageId'],
    ],
    itemFields: ['displayName', 'imageId'],
  },
  {
    id: 'subnets',
    title: columnTitles.subnets,
    paths: [
      ['status', 'network', 'primaryVnic', 'subnet', 'displayName'],
      ['status', 'network', 'primaryVnic', 'subnet', 'subnetId'],
    ],
  },
  {
    id: 'disk',
    title: { en: 'Boot volume (GB)', uk: 'Завантажувальний том, ГБ', zh: '引导卷（GB）' },
    paths: [['spec', 'volumeConfig', 'bootVolumeConfig', 'sizeInGBs']],
  },
]

/** OCINodeClass fields whose values Kerf compares with the instance. */
export const oracleSelectors: readonly string[] = [
  'capacityReservationConfigs',
  'clusterPlacementGroupConfigs',
  'launchOptions',
  'networkConfig.primaryVnicConfig.networkSecurityGroupConfigs',
  'networkConfig.primaryVnicConfig.subnetConfig',
  'networkConfig.secondaryVnicConfigs.networkSecurityGroupConfigs',
  'networkConfig.secondaryVnicConfigs.subnetConfig',
  'volumeConfig',
]

/** OCINodeClass fields whose changes replace no node. */
export const oracleUnhashed: readonly string[] = [
  'computeClusterConfig',
  'networkConfig.primaryVnicConfig.vnicDisplayname',
  'networkConfig.secondaryVnicConfigs.vnicDisplayname',
]

/** The rules for reading OCINodeClass fields when its hash is computed. */
export const oracleHashReading = {
  emptyIsNone: ['networkConfig.secondaryVnicConfigs', 'shapeConfigs'],
  durations: ['kubeletConfig.evictionSoftGracePeriod'],
} as const
