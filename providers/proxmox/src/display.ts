import { columnTitles, type DisplayOnly } from '@kerf/provider-contract/dashboard'

/**
 * The node classes of Proxmox. Each drift rule was compared with the provider's own code
 * (`tests/integration/editor/class-edits/README.md`).
 */
export const display: DisplayOnly = {
  name: 'proxmox',
  title: 'Proxmox',
  dashboard: {
    kinds: [
      {
        group: 'karpenter.proxmox.sinextra.dev',
        kind: 'ProxmoxNodeClass',
        plural: 'proxmoxnodeclasses',
        versions: ['v1alpha1'],
        columns: [
          { id: 'template', title: columnTitles.template, paths: [['spec', 'instanceTemplateRef', 'name']] },
          { id: 'region', title: columnTitles.region, paths: [['spec', 'region']] },
          { id: 'zones', title: columnTitles.zones, paths: [['status', 'resources', 'zones']] },
          {
            id: 'pool',
            title: { en: 'Resource pool', uk: 'Пул ресурсів', zh: '资源池' },
            paths: [['spec', 'resourcePool']],
          },
        ],
        drift: {
          isHashed: true,
          selectors: [],
          // The last three are changed in place.
          unhashed: ['metadataOptions', 'resourcePool', 'securityGroups', 'tags'],
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
        },
      },
    ],
  },
}
