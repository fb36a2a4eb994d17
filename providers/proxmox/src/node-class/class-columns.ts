import { columnTitles, type HashReading, type NodeClassColumn } from '@kerf/provider-contract/dashboard'

/** The columns of the dashboard for ProxmoxNodeClasses. */
export const classColumns: readonly NodeClassColumn[] = [
  { id: 'template', title: columnTitles.template, paths: [['spec', 'instanceTemplateRef', 'name']] },
  { id: 'region', title: columnTitles.region, paths: [['spec', 'region']] },
  { id: 'zones', title: columnTitles.zones, paths: [['status', 'resources', 'zones']] },
  {
    id: 'pool',
    title: { en: 'Resource pool', uk: 'Пул ресурсів', zh: '资源池' },
    paths: [['spec', 'resourcePool']],
  },
]

/** The fields that are not part of the hash. Kerf updates the last three on running guests. */
export const unhashedFields = ['metadataOptions', 'resourcePool', 'securityGroups', 'tags'] as const

/** The rules for reading the fields of the spec when the hash is computed. */
export const classHashReading: HashReading = {
  zeroIsNone: [
    'bootDevice.storage',
    'kubeletConfiguration.cpuManagerPolicy',
    'kubeletConfiguration.topologyManagerPolicy',
    'kubeletConfiguration.topologyManagerScope',
    'placementStrategy.zoneBalance',
    'region',
  ],
  quantityUnits: ['bootDevice.size'],
  durations: ['kubeletConfiguration.cpuCFSQuotaPeriod', 'kubeletConfiguration.shutdownGracePeriod'],
}
