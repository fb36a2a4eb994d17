import { columnTitles, type DisplayOnly } from '@kerf/provider-contract/dashboard'

/**
 * The node classes of Bizfly Cloud. Each drift rule was compared with the provider's own code
 * (`tests/integration/editor/class-edits/README.md`).
 */
export const display: DisplayOnly = {
  name: 'bizfly',
  title: 'Bizfly Cloud',
  dashboard: {
    kinds: [
      {
        group: 'karpenter.bizflycloud.com',
        kind: 'BizflyCloudNodeClass',
        plural: 'bizflycloudnodeclasses',
        versions: ['v1'],
        columns: [
          { id: 'template', title: columnTitles.template, paths: [['spec', 'template']] },
          { id: 'region', title: columnTitles.region, paths: [['spec', 'region']] },
          { id: 'zones', title: columnTitles.zones, paths: [['spec', 'zones']] },
          { id: 'networks', title: columnTitles.subnets, paths: [['spec', 'vpcNetworkIds']] },
        ],
        // Nothing is hashed. A node drifts if its type is not offered any more.
        drift: {
          isHashed: false,
          selectors: ['cpuVendors', 'diskTypes', 'nodeCategories', 'zones'],
          unhashed: [],
        },
      },
    ],
  },
}
