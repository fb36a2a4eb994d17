import { columnTitles, type DisplayOnly } from '@kerf/provider-contract/dashboard'

/**
 * The node classes of GCP. Each drift rule was compared with the provider's own code
 * (`tests/integration/editor/class-edits/README.md`).
 */
export const display: DisplayOnly = {
  name: 'gcp',
  title: 'GCP',
  dashboard: {
    kinds: [
      {
        group: 'karpenter.k8s.gcp',
        kind: 'GCENodeClass',
        plural: 'gcenodeclasses',
        versions: ['v1alpha1'],
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
        drift: {
          isHashed: true,
          selectors: ['imageSelectorTerms'],
          unhashed: [],
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
          imageFamily: {
            field: 'imageFamily',
            isFieldHashed: true,
            terms: 'imageSelectorTerms',
            aliases: { ContainerOptimizedOS: 'ContainerOptimizedOS', Ubuntu: 'Ubuntu' },
            termFamilies: { ContainerOptimizedOS: 'ContainerOptimizedOS', Ubuntu2204: 'Ubuntu', Ubuntu2404: 'Ubuntu' },
            otherwise: 'Custom',
          },
        },
      },
    ],
  },
}
