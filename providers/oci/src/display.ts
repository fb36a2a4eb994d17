import { columnTitles, type DisplayOnly } from '@kerf/provider-contract/dashboard'

/**
 * The node classes of OCI. Each drift rule was compared with the provider's own code
 * (`tests/integration/editor/class-edits/README.md`).
 */
export const display: DisplayOnly = {
  name: 'oci',
  title: 'OCI',
  dashboard: {
    kinds: [
      {
        group: 'karpenter.k8s.oracle',
        kind: 'OciNodeClass',
        plural: 'ocinodeclasses',
        versions: ['v1alpha1'],
        columns: [
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
        ],
        // The provider writes a hash of the node class to NodeClaims but does not compare it. It compares images, networks and groups.
        drift: {
          isHashed: false,
          selectors: ['imageFamily', 'imageSelector', 'securityGroupSelector', 'subnetSelector', 'vcnId'],
          unhashed: [],
        },
      },
      {
        group: 'oci.oraclecloud.com',
        kind: 'OCINodeClass',
        plural: 'ocinodeclasses',
        versions: ['v1beta1'],
        columns: [
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
        ],
        drift: {
          isHashed: true,
          selectors: [
            'capacityReservationConfigs',
            'clusterPlacementGroupConfigs',
            'launchOptions',
            'networkConfig.primaryVnicConfig.networkSecurityGroupConfigs',
            'networkConfig.primaryVnicConfig.subnetConfig',
            'networkConfig.secondaryVnicConfigs.networkSecurityGroupConfigs',
            'networkConfig.secondaryVnicConfigs.subnetConfig',
            'volumeConfig',
          ],
          unhashed: [
            'computeClusterConfig',
            'networkConfig.primaryVnicConfig.vnicDisplayname',
            'networkConfig.secondaryVnicConfigs.vnicDisplayname',
          ],
          emptyIsNone: ['networkConfig.secondaryVnicConfigs', 'shapeConfigs'],
          durations: ['kubeletConfig.evictionSoftGracePeriod'],
        },
      },
    ],
  },
}
