/**
 * The node classes of every provider that Karpenter's documentation lists, for tests of what the plugin makes of them: a schema
 * of our own with the fields, types and limits that each provider documents, and a class as its users have one.
 */

type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const number = (minimum?: number, maximum?: number): Schema => ({
  type: 'integer',
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
})
const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values })
const matching = (pattern: string): Schema => ({ type: 'string', pattern })
const texts: Schema = { type: 'object', additionalProperties: text }
const list = (items: Schema, maxItems?: number): Schema => ({
  type: 'array',
  items,
  ...(maxItems === undefined ? {} : { maxItems }),
})
const fields = (properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
})
const quantity: Schema = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true }

const conditions = list(fields({ type: text, status: text, reason: text, message: text, lastTransitionTime: text }))
const whole = (spec: Schema, status: Readonly<Record<string, Schema>>): Schema =>
  fields({
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    spec,
    status: fields({ ...status, conditions }),
  })
const selectors = list(fields({ tags: texts, id: text, name: text, alias: text }), 30)
const kubelet = fields({
  clusterDNS: list(text),
  maxPods: number(0),
  podsPerCore: number(0),
  systemReserved: texts,
  kubeReserved: texts,
  evictionHard: texts,
  evictionSoft: texts,
  evictionSoftGracePeriod: texts,
  evictionMaxPodGracePeriod: number(0),
  imageGCHighThresholdPercent: number(0, 100),
  imageGCLowThresholdPercent: number(0, 100),
  cpuCFSQuota: flag,
})
const requirements = list(fields({ key: text, operator: text, values: list(text) }))

const ready = [
  { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
]

export interface ProviderClass {
  /** As Karpenter's documentation names the provider. */
  readonly provider: string
  readonly plural: string
  readonly schema: Schema
  readonly example: {
    readonly apiVersion: string
    readonly kind: string
    readonly metadata: { readonly name: string; readonly uid: string }
    readonly spec: object
    readonly status: object
  }
  /** What the columns of the list show of it, in their order. */
  readonly shown: readonly string[]
  /** A word of the example's text, what a person mistypes in its place, and what is said about it. */
  readonly mistake: readonly [word: string, typed: string, problem: string]
}

const classOf = (apiVersion: string, kind: string, spec: object, status: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'default', uid: `uid-${kind}` },
  spec,
  status: { conditions: ready, ...status },
})

const SUBNET = '/subscriptions/1/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/net/subnets/nodes'

/** Those that are not made of Kerf's own definitions. */
export const otherProviders: readonly ProviderClass[] = [
  {
    provider: 'AWS (EKS Auto Mode)',
    plural: 'nodeclasses',
    schema: whole(
      fields({
        role: text,
        instanceProfile: text,
        subnetSelectorTerms: selectors,
        securityGroupSelectorTerms: selectors,
        capacityReservationSelectorTerms: selectors,
        snatPolicy: oneOf('Random', 'Disabled'),
        networkPolicy: oneOf('DefaultAllow', 'DefaultDeny'),
        networkPolicyEventLogs: oneOf('Enabled', 'Disabled'),
        ephemeralStorage: fields({
          size: quantity,
          iops: number(3000, 16000),
          throughput: number(125, 1000),
          kmsKeyID: text,
        }),
        tags: texts,
      }),
      { subnets: list(fields({ id: text, zone: text })), instanceProfile: text },
    ),
    example: classOf(
      'eks.amazonaws.com/v1',
      'NodeClass',
      {
        role: 'AutoNode',
        subnetSelectorTerms: [{ tags: { 'kubernetes.io/role/internal-elb': '1' } }],
        securityGroupSelectorTerms: [{ tags: { 'aws:eks:cluster-name': 'demo' } }],
        networkPolicy: 'DefaultAllow',
        ephemeralStorage: { size: '80Gi', iops: 3000, throughput: 125 },
      },
      {
        subnets: [
          { id: 'subnet-1', zone: 'eu-west-1a' },
          { id: 'subnet-2', zone: 'eu-west-1a' },
        ],
      },
    ),
    shown: ['AutoNode', 'subnet-1, subnet-2', 'eu-west-1a'],
    mistake: ['DefaultAllow', 'AllowAll', 'spec.networkPolicy: Unsupported value: "AllowAll"'],
  },
  {
    provider: 'Azure',
    plural: 'aksnodeclasses',
    schema: whole(
      fields({
        vnetSubnetID: matching(
          '(?i)^/subscriptions/[^/]+/resourceGroups/[a-zA-Z0-9_\\-().]{0,89}[a-zA-Z0-9_\\-()]/providers/Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+$',
        ),
        osDiskSizeGB: { ...number(30, 2048), default: 128 },
        imageFamily: { ...oneOf('Ubuntu', 'Ubuntu2204', 'Ubuntu2404', 'AzureLinux'), default: 'Ubuntu' },
        fipsMode: oneOf('FIPS', 'Disabled'),
        tags: texts,
        maxPods: number(10, 250),
        kubelet: fields({
          cpuManagerPolicy: oneOf('none', 'static'),
          cpuCFSQuota: flag,
          imageGCHighThresholdPercent: number(0, 100),
          imageGCLowThresholdPercent: number(0, 100),
          topologyManagerPolicy: oneOf('restricted', 'best-effort', 'none', 'single-numa-node'),
          allowedUnsafeSysctls: list(text),
          containerLogMaxSize: matching('^\\d+(E|P|T|G|M|K|Ei|Pi|Ti|Gi|Mi|Ki)$'),
          containerLogMaxFiles: number(2),
          podPidsLimit: number(),
          failSwapOn: flag,
        }),
        security: fields({ encryptionAtHost: flag, trustedLaunch: fields({ vtpm: flag, secureBoot: flag }) }),
        gpu: fields({ mode: oneOf('Driver', 'None') }),
        artifactStreaming: fields({ enabled: flag }),
      }),
      { kubernetesVersion: text, images: list(fields({ id: text, requirements })) },
    ),
    example: classOf(
      'karpenter.azure.com/v1beta1',
      'AKSNodeClass',
      {
        imageFamily: 'AzureLinux',
        vnetSubnetID: SUBNET,
        osDiskSizeGB: 128,
        maxPods: 110,
        kubelet: { cpuManagerPolicy: 'static' },
      },
      { images: [{ id: '/CommunityGalleries/AKSAzureLinux/images/V3gen2/versions/202601.1', requirements: [] }] },
    ),
    shown: ['AzureLinux', '202601.1', 'nodes', '110', '128'],
    mistake: ['maxPods: 110', 'maxPods: 251', 'spec.maxPods: Invalid value'],
  },
  {
    provider: 'Alibaba Cloud',
    plural: 'ecsnodeclasses',
    schema: whole(
      fields(
        {
          vSwitchSelectorTerms: selectors,
          vSwitchSelectionPolicy: oneOf('balanced', 'cheapest'),
          securityGroupSelectorTerms: selectors,
          imageSelectorTerms: selectors,
          kubeletConfiguration: kubelet,
          systemDisk: fields({
            categories: list(
              oneOf('cloud', 'cloud_ssd', 'cloud_efficiency', 'cloud_essd', 'cloud_auto', 'cloud_essd_entry'),
            ),
            volumeSize: quantity,
            size: number(20),
            performanceLevel: oneOf('PL0', 'PL1', 'PL2', 'PL3'),
          }),
          dataDisks: list(fields({ volumeSize: quantity, device: text })),
          dataDiskCategories: list(text),
          formatDataDisk: flag,
          tags: texts,
          resourceGroupId: matching('^rg-[0-9a-z]+$'),
          userData: text,
          password: text,
          keyPairName: text,
          passwordInherit: flag,
        },
        'vSwitchSelectorTerms',
        'securityGroupSelectorTerms',
      ),
      {
        vSwitches: list(fields({ id: text, zoneID: text })),
        securityGroups: list(fields({ id: text, name: text })),
        images: list(fields({ id: text, name: text, requirements })),
      },
    ),
    example: classOf(
      'karpenter.k8s.alibabacloud/v1alpha1',
      'ECSNodeClass',
      {
        vSwitchSelectorTerms: [{ tags: { cluster: 'demo' } }],
        securityGroupSelectorTerms: [{ tags: { cluster: 'demo' } }],
        imageSelectorTerms: [{ alias: 'AlibabaCloudLinux3@latest' }],
        systemDisk: { categories: ['cloud_essd'], volumeSize: '40Gi', performanceLevel: 'PL1' },
      },
      {
        vSwitches: [
          { id: 'vsw-1', zoneID: 'cn-hangzhou-h' },
          { id: 'vsw-2', zoneID: 'cn-hangzhou-i' },
        ],
      },
    ),
    shown: ['AlibabaCloudLinux3@latest', 'vsw-1, vsw-2', 'cn-hangzhou-h, cn-hangzhou-i'],
    mistake: ['cloud_essd', 'cloud_fast', 'spec.systemDisk.categories[0]: Unsupported value: "cloud_fast"'],
  },
  {
    provider: 'Bizfly Cloud',
    plural: 'bizflycloudnodeclasses',
    schema: whole(
      fields(
        {
          region: text,
          zones: list(text),
          template: text,
          osType: list(oneOf('flatcar', 'ubuntu')),
          nodeCategories: list(oneOf('basic', 'premium', 'enterprise', 'dedicated')),
          cpuVendors: list(oneOf('Intel2', 'AMD4')),
          sshKeyName: text,
          sshKeys: list(text),
          diskTypes: list(text),
          rootDiskSize: { ...number(20), default: 40 },
          networkPlans: list(text),
          vpcNetworkIds: list(text),
          placementStrategy: fields({ spread: fields({ zones: list(text) }) }),
          tags: list(text),
          metadataOptions: fields({ type: text }),
          securityGroups: list(fields({ securityGroupID: text })),
        },
        'region',
        'template',
      ),
      { lastUpdated: text, instanceTypes: list(text), regions: list(text) },
    ),
    example: classOf('karpenter.bizflycloud.com/v1', 'BizflyCloudNodeClass', {
      region: 'HN',
      zones: ['HN1', 'HN2'],
      template: 'worker-1.31',
      nodeCategories: ['premium'],
      diskTypes: ['SSD'],
      rootDiskSize: 40,
      vpcNetworkIds: ['net-1'],
    }),
    shown: ['worker-1.31', 'HN', 'HN1, HN2', 'net-1'],
    mistake: ['rootDiskSize: 40', 'rootDiskSize: 10', 'spec.rootDiskSize: Invalid value'],
  },
  {
    provider: 'GCP',
    plural: 'gcenodeclasses',
    schema: whole(
      fields({
        serviceAccount: matching('^[a-zA-Z0-9-]+@([a-zA-Z0-9.-]+)$'),
        disks: list(
          fields({
            sizeGiB: number(10),
            category: oneOf(
              'hyperdisk-balanced',
              'hyperdisk-throughput',
              'local-ssd',
              'pd-balanced',
              'pd-ssd',
              'pd-standard',
            ),
            boot: flag,
            kmsKeyName: text,
            provisionedIOPS: number(0),
            provisionedThroughput: number(0),
          }),
          10,
        ),
        imageSelectorTerms: list(
          fields({
            alias: text,
            id: text,
            family: oneOf('ContainerOptimizedOS', 'Ubuntu2404', 'Ubuntu2204'),
            channel: oneOf('rapid', 'regular', 'stable', 'extended', 'cluster'),
            version: text,
          }),
          30,
        ),
        imageFamily: oneOf('ContainerOptimizedOS', 'Ubuntu'),
        subnetRangeName: text,
        kubeletConfiguration: kubelet,
        labels: texts,
        metadata: texts,
        networkTags: list(text, 20),
        shieldedInstanceConfig: fields({ enableSecureBoot: flag, enableVtpm: flag, enableIntegrityMonitoring: flag }),
        confidentialInstanceType: oneOf('SEV', 'SEV_SNP', 'TDX'),
        networkConfig: fields({
          enablePrivateNodes: flag,
          subnetwork: text,
          additionalNetworkInterfaces: list(fields({ network: text, subnetwork: text }, 'network', 'subnetwork'), 7),
        }),
        autoGPUTaint: flag,
        gpuDriverVersion: oneOf('default', 'latest', 'disabled'),
      }),
      { images: list(fields({ sourceImage: text, requirements })) },
    ),
    example: classOf(
      'karpenter.k8s.gcp/v1alpha1',
      'GCENodeClass',
      {
        serviceAccount: 'nodes@demo.iam.gserviceaccount.com',
        disks: [{ sizeGiB: 60, category: 'pd-balanced', boot: true }],
        imageSelectorTerms: [{ family: 'ContainerOptimizedOS', channel: 'regular' }],
        networkConfig: { enablePrivateNodes: true, subnetwork: 'projects/demo/regions/europe-west1/subnetworks/nodes' },
      },
      { images: [{ sourceImage: 'projects/gke-node-images/global/images/gke-1334-cos-125', requirements: [] }] },
    ),
    shown: ['gke-1334-cos-125', 'nodes@demo.iam.gserviceaccount.com', 'nodes'],
    mistake: ['pd-balanced', 'pd-fast', 'spec.disks[0].category: Unsupported value: "pd-fast"'],
  },
  {
    provider: 'Proxmox',
    plural: 'proxmoxnodeclasses',
    schema: whole(
      fields(
        {
          region: text,
          placementStrategy: fields({ zoneBalance: oneOf('Balanced', 'AvailabilityFirst') }),
          instanceTemplateRef: fields({ kind: text, name: text }, 'kind', 'name'),
          kubeletConfiguration: fields({
            cpuManagerPolicy: text,
            cpuCFSQuota: flag,
            topologyManagerPolicy: text,
            imageGCHighThresholdPercent: number(0, 100),
            imageGCLowThresholdPercent: number(0, 100),
            shutdownGracePeriod: text,
            allowedUnsafeSysctls: list(text),
            clusterDNS: list(text, 3),
            maxPods: number(10, 250),
            failSwapOn: flag,
          }),
          bootDevice: fields({ size: quantity, storage: { type: 'string', maxLength: 30 } }),
          tags: list(text, 10),
          metadataOptions: fields({
            type: oneOf('none', 'cdrom'),
            templatesRef: fields({ name: text, namespace: text }),
            valuesRef: fields({ name: text, namespace: text }),
          }),
          securityGroups: list(fields({ interface: text, name: text }), 10),
          resourcePool: text,
        },
        'instanceTemplateRef',
      ),
      { resources: fields({ zones: list(text) }), selectedZones: list(text) },
    ),
    example: classOf(
      'karpenter.proxmox.sinextra.dev/v1alpha1',
      'ProxmoxNodeClass',
      {
        region: 'fsn',
        instanceTemplateRef: { kind: 'ProxmoxTemplate', name: 'talos' },
        placementStrategy: { zoneBalance: 'Balanced' },
        bootDevice: { size: '30G', storage: 'local-lvm' },
        resourcePool: 'kubernetes',
      },
      { resources: { zones: ['pve-1', 'pve-2'] }, selectedZones: ['fsn/pve-1/9000'] },
    ),
    shown: ['talos', 'fsn', 'pve-1, pve-2', 'kubernetes'],
    mistake: [
      'zoneBalance: Balanced',
      'zoneBalance: Even',
      'spec.placementStrategy.zoneBalance: Unsupported value: "Even"',
    ],
  },
  {
    provider: 'OCI',
    plural: 'ocinodeclasses',
    schema: whole(
      fields({
        vcnId: text,
        imageSelector: list(fields({ id: text, name: text, compartmentId: text }), 30),
        subnetSelector: list(fields({ id: text, name: text }), 30),
        securityGroupSelector: list(fields({ id: text, name: text }), 30),
        imageFamily: oneOf('Ubuntu2204', 'OracleOKELinux', 'Custom'),
        userData: text,
        preInstallScript: text,
        metaData: texts,
        definedTags: { type: 'object', additionalProperties: texts },
        freeFormTags: texts,
        kubelet,
        bootConfig: fields({ bootVolumeSizeInGBs: number(50), bootVolumeVpusPerGB: number(0) }),
        launchOptions: fields({
          bootVolumeType: oneOf('ISCSI', 'SCSI', 'IDE', 'VFIO', 'PARAVIRTUALIZED'),
          firmware: oneOf('BIOS', 'UEFI_64'),
          networkType: oneOf('E1000', 'VFIO', 'PARAVIRTUALIZED'),
          remoteDataVolumeType: text,
          isConsistentVolumeNamingEnabled: flag,
        }),
        blockDevices: list(fields({ sizeInGBs: number(50, 32768), vpusPerGB: number(0, 20) })),
        agentList: list(text),
      }),
      {
        subnets: list(fields({ id: text, name: text })),
        images: list(fields({ id: text, name: text })),
        securityGroups: list(fields({ id: text, name: text })),
      },
    ),
    example: classOf(
      'karpenter.k8s.oracle/v1alpha1',
      'OciNodeClass',
      {
        vcnId: 'ocid1.vcn.oc1..a',
        imageFamily: 'OracleOKELinux',
        imageSelector: [{ name: 'Oracle-Linux-8.10-OKE-1.31' }],
        subnetSelector: [{ name: 'workers' }],
        bootConfig: { bootVolumeSizeInGBs: 100, bootVolumeVpusPerGB: 10 },
      },
      {
        images: [{ id: 'ocid1.image.oc1..a', name: 'Oracle-Linux-8.10-OKE-1.31' }],
        subnets: [{ id: 'ocid1.subnet.oc1..a', name: 'workers' }],
      },
    ),
    shown: ['Oracle-Linux-8.10-OKE-1.31', 'workers'],
    mistake: [
      'bootVolumeSizeInGBs: 100',
      'bootVolumeSizeInGBs: 10',
      'spec.bootConfig.bootVolumeSizeInGBs: Invalid value',
    ],
  },
]
