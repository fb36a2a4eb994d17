import { node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { drafted } from '../../../../tests/integration/migrate/drafted.ts'

const LINK = 'https://container.googleapis.com/v1/projects/shop-1/locations/europe-west1/clusters/shop'
const ZONES = ['europe-west1-b', 'europe-west1-c', 'europe-west1-d']

/** Returns a pool in the format of `gcloud container node-pools list --format json`: NodePool of container.googleapis.com/v1. */
const poolNamed = (
  name: string,
  { config = {}, ...more }: { readonly config?: object; readonly [key: string]: unknown } = {},
) => ({
  ...{ name, selfLink: `${LINK}/nodePools/${name}`, etag: 'a1', status: 'RUNNING', version: '1.35.1-gke.7' },
  config: {
    ...{ machineType: 'n2-standard-4', diskSizeGb: 100, diskType: 'pd-balanced', imageType: 'COS_CONTAINERD' },
    ...{ oauthScopes: ['https://www.googleapis.com/auth/cloud-platform'], serviceAccount: 'default' },
    ...{
      metadata: { 'disable-legacy-endpoints': 'true' },
      shieldedInstanceConfig: { enableIntegrityMonitoring: true },
    },
    ...{ workloadMetadataConfig: { mode: 'GKE_METADATA' }, effectiveCgroupMode: 'EFFECTIVE_CGROUP_MODE_V2' },
    ...config,
  },
  autoscaling: { enabled: true, minNodeCount: 0, maxNodeCount: 3, locationPolicy: 'BALANCED' },
  ...{ initialNodeCount: 1, locations: ZONES, podIpv4CidrSize: 24, maxPodsConstraint: { maxPodsPerNode: '110' } },
  instanceGroupUrls: [
    `https://www.googleapis.com/compute/v1/projects/shop-1/zones/${ZONES[0]}/instanceGroupManagers/gke-shop-${name}-1a2b3c4d-grp`,
  ],
  ...{ management: { autoRepair: true, autoUpgrade: true }, networkConfig: { podRange: 'pods', network: 'n' } },
  upgradeSettings: { maxSurge: 1, maxUnavailable: 0, strategy: 'SURGE' },
  ...more,
})

/** Returns a cluster in the format of `gcloud container clusters describe --format json`. */
const clusterOf = (nodePools: readonly object[], more: object = {}) => ({
  ...{ name: 'shop', location: 'europe-west1', locations: ZONES, selfLink: LINK, subnetwork: 'nodes', network: 'n' },
  ...{ releaseChannel: { channel: 'REGULAR' }, autoscaling: { autoscalingProfile: 'BALANCED' }, nodePools },
  ...more,
})

const source = poolNamed('default-pool')

test('node pools become NodePools and GCENodeClasses; the pool whose template Kerf uses stays', async () => {
  const batch = poolNamed('batch', {
    config: {
      ...{ spot: true, machineType: 'n2d-standard-8', imageType: 'UBUNTU_CONTAINERD', labels: { team: 'batch' } },
      taints: [
        { key: 'batch', value: 'yes', effect: 'NO_SCHEDULE' },
        { key: 'odd', effect: 'EFFECT_UNSPECIFIED' },
      ],
      ...{ tags: ['batch'], resourceLabels: { cost: 'batch' }, localNvmeSsdBlockConfig: { localSsdCount: 1 } },
      ...{ serviceAccount: 'batch@shop-1.iam.gserviceaccount.com', linuxNodeConfig: { sysctls: { a: 'b' } } },
      metadata: { 'disable-legacy-endpoints': 'true', 'user-data': 'no', own: 'x' },
      kubeletConfig: {
        cpuCfsQuota: false,
        podPidsLimit: '1000',
        evictionSoft: { memoryAvailable: '5%' },
        evictionSoftGracePeriod: { memoryAvailable: '30s' },
      },
      confidentialNodes: { enabled: true, confidentialInstanceType: 'SEV' },
    },
    autoscaling: { enabled: true, totalMinNodeCount: 2, totalMaxNodeCount: 20 },
    ...{ maxPodsConstraint: { maxPodsPerNode: '32' }, locations: ZONES.slice(0, 1) },
    networkConfig: { enablePrivateNodes: true, podRange: 'pods-2', subnetwork: 'nodes' },
    upgradeSettings: { maxUnavailable: 2 },
  })
  const { pools, classes, lines, plan } = await drafted([clusterOf([source, poolNamed('web'), batch])])
  expect(pools.map(({ metadata, spec }) => [metadata.name, spec.limits.nodes])).toEqual([
    ['web', '9'],
    ['batch', '20'],
  ])
  expect(pools[1]?.spec.template).toMatchObject({
    metadata: { labels: { team: 'batch' } },
    spec: {
      nodeClassRef: { group: 'karpenter.k8s.gcp', kind: 'GCENodeClass', name: 'batch' },
      requirements: [
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['n2d-standard-8'] },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['europe-west1-b'] },
        { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
      ],
      taints: expect.arrayContaining([{ key: 'batch', value: 'yes', effect: 'NoSchedule' }]),
    },
  })
  expect(classes.map(({ apiVersion, kind, spec }) => ({ apiVersion, kind, spec }))).toEqual([
    {
      ...{ apiVersion: 'karpenter.k8s.gcp/v1alpha1', kind: 'GCENodeClass' },
      spec: {
        imageSelectorTerms: [{ family: 'ContainerOptimizedOS', channel: 'cluster' }],
        disks: [{ boot: true, sizeGiB: 100, category: 'pd-balanced' }],
        subnetRangeName: 'pods',
        kubeletConfiguration: { maxPods: 110 },
        metadata: { 'disable-legacy-endpoints': 'true' },
        shieldedInstanceConfig: { enableIntegrityMonitoring: true },
      },
    },
    {
      ...{ apiVersion: 'karpenter.k8s.gcp/v1alpha1', kind: 'GCENodeClass' },
      spec: {
        imageSelectorTerms: [{ family: 'Ubuntu2404', version: 'latest' }],
        serviceAccount: 'batch@shop-1.iam.gserviceaccount.com',
        disks: [
          { boot: true, sizeGiB: 100, category: 'pd-balanced' },
          { category: 'local-ssd', sizeGiB: 375 },
        ],
        subnetRangeName: 'pods-2',
        kubeletConfiguration: {
          ...{ maxPods: 32, cpuCFSQuota: false, evictionSoft: { 'memory.available': '5%' } },
          evictionSoftGracePeriod: { 'memory.available': '30s' },
        },
        labels: { cost: 'batch' },
        metadata: { 'disable-legacy-endpoints': 'true', own: 'x' },
        networkTags: ['batch'],
        shieldedInstanceConfig: { enableIntegrityMonitoring: true },
        confidentialInstanceType: 'SEV',
        networkConfig: { enablePrivateNodes: true },
      },
    },
  ])
  expect(plan.kept).toMatchObject([{ name: 'default-pool', because: expect.stringContaining('template of this pool') }])
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringContaining('GKE node pool batch | config.linuxNodeConfig | not carried over'),
      expect.stringContaining('GKE node pool batch | taint odd | not carried over'),
      expect.stringContaining('GKE node pool batch | config.kubeletConfig.podPidsLimit | not carried over'),
      expect.stringContaining('GKE cluster shop | autoscaling.autoscalingProfile | NodePool spec.disruption'),
    ]),
  )
  expect(lines.filter((line) => line.includes('unknown field'))).toEqual([])
  expect(plan.questions).toEqual([])
})

test('the output of gcloud container node-pools list gives the same result, except for the release channel', async () => {
  const { pools, classes } = await drafted([[source, poolNamed('web')]])
  expect(pools[0]?.spec.template.spec.requirements).toContainEqual({
    ...{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ZONES },
  })
  expect(classes[0]?.spec.imageSelectorTerms).toEqual([{ family: 'ContainerOptimizedOS', version: 'latest' }])
})

test('the gcloud commands use limits per zone like the pool, and contain its cluster', async () => {
  const total = { enabled: true, totalMinNodeCount: 4, totalMaxNodeCount: 10 }
  const documents = [
    clusterOf([
      source,
      poolNamed('web', { autoscaling: { enabled: true, minNodeCount: 2, maxNodeCount: 3 } }),
      poolNamed('total', { autoscaling: total }),
      poolNamed('fixed', { autoscaling: {}, initialNodeCount: 2 }),
    ]),
    node('gke-shop-fixed-1', { labels: { 'cloud.google.com/gke-nodepool': 'fixed' } }),
  ]
  const { plan, pools } = await drafted(documents)
  expect(pools.find(({ metadata }) => metadata.name === 'fixed')?.spec.limits.nodes).toBe('1')
  const commands = plan.phases
    .flatMap(({ steps }) => steps)
    .flatMap((step) => (step.do === 'by hand' ? [...step.commands, ...step.back] : []))
  const flags = '--cluster shop --location europe-west1 --project shop-1'
  const update = 'gcloud container node-pools update'
  expect(commands).toEqual(
    expect.arrayContaining([
      `${update} web ${flags} --enable-autoscaling --min-nodes 0 --max-nodes 3`,
      `${update} web ${flags} --enable-autoscaling --min-nodes 2 --max-nodes 3`,
      `${update} total ${flags} --enable-autoscaling --total-min-nodes 0 --total-max-nodes 10`,
      `${update} total ${flags} --enable-autoscaling --total-min-nodes 4 --total-max-nodes 10`,
      `${update} fixed ${flags} --no-enable-autoscaling`,
      `gcloud container node-pools delete web ${flags} --quiet`,
    ]),
  )
  expect(commands.filter((command) => !/^(gcloud container|kerf|kubectl) /.test(command))).toEqual([])
})

test('what Kerf cannot launch stays, and questions ask for what only the user knows', async () => {
  const gpu = { acceleratorCount: '1', acceleratorType: 'nvidia-tesla-t4' }
  const { plan, lines, pools } = await drafted([
    clusterOf(
      [
        source,
        poolNamed('custom', { config: { machineType: 'n2-custom-4-8192' } }),
        poolNamed('attached', { config: { machineType: 'n1-standard-4', accelerators: [gpu] } }),
        poolNamed('l4', {
          config: {
            machineType: 'g2-standard-8',
            accelerators: [
              { ...gpu, acceleratorType: 'nvidia-l4', gpuDriverInstallationConfig: { gpuDriverVersion: 'LATEST' } },
            ],
          },
        }),
        poolNamed('win', { config: { imageType: 'WINDOWS_LTSC_CONTAINERD' } }),
        { config: {} },
      ],
      { autoscaling: { enableNodeAutoprovisioning: true } },
    ),
  ])
  expect(plan.kept.map(({ name, because }) => `${name}: ${because}`)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('custom: Kerf launches no custom machine types such as n2-custom-4-8192'),
      expect.stringContaining('attached: its GPUs are attached'),
    ]),
  )
  expect(pools.find(({ metadata }) => metadata.name === 'l4')?.spec.template.spec.taints).toContainEqual({
    ...{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' },
  })
  expect(plan.questions.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('--no-enable-autoprovisioning'),
      expect.stringContaining('keep it with --keep'),
    ]),
  )
  expect(lines).toContainEqual(expect.stringContaining('GKE node pool | not carried over | it has no name'))
})

test('an Autopilot cluster causes a question, because Kerf cannot launch nodes into it', async () => {
  const { plan } = await drafted([clusterOf([source, poolNamed('web')], { autopilot: { enabled: true } })])
  expect(plan.questions).toMatchObject([{ object: 'GKE cluster shop', message: expect.stringContaining('Autopilot') }])
})

/** The output of `terraform show -json` for a cluster with two node pools. */
const terraform = {
  format_version: '1.0',
  terraform_version: '1.9.0',
  values: {
    root_module: {
      resources: [
        {
          address: 'google_container_cluster.shop',
          mode: 'managed',
          type: 'google_container_cluster',
          values: {
            ...{ name: 'shop', location: 'europe-west1', node_locations: ZONES, subnetwork: 'nodes', self_link: LINK },
            ...{ release_channel: [{ channel: 'STABLE' }], default_max_pods_per_node: 64 },
            node_pool: [{ name: 'default-pool', node_config: [{ machine_type: 'e2-standard-2' }] }, { name: 'work' }],
          },
        },
        {
          address: 'google_container_node_pool.work',
          mode: 'managed',
          type: 'google_container_node_pool',
          values: {
            ...{ cluster: 'shop', location: 'europe-west1', name: 'work', node_locations: ZONES, node_count: 2 },
            autoscaling: [{ min_node_count: 1, max_node_count: 5, location_policy: 'ANY' }],
            node_config: [
              {
                ...{ machine_type: 'n2-standard-8', spot: false, disk_size_gb: 50, disk_type: 'pd-ssd' },
                ...{ labels: { team_a: 'x' }, taint: [{ key: 'a', value: 'b', effect: 'NO_EXECUTE' }], tags: ['work'] },
                shielded_instance_config: [{ enable_secure_boot: true, enable_integrity_monitoring: false }],
              },
            ],
            ...{ upgrade_settings: [{ max_surge: 1, max_unavailable: 1 }], management: [{ auto_repair: true }] },
          },
        },
      ],
    },
  },
}

test('node pools from Terraform equal those from the API, and each is included once', async () => {
  const { pools, classes, lines, plan } = await drafted([terraform])
  expect(pools.map(({ metadata }) => metadata.name)).toEqual(['work'])
  const { template, limits, disruption } = pools[0]?.spec ?? {}
  expect(limits.nodes).toBe('15')
  expect(template.metadata.labels).toMatchObject({ team_a: 'x' })
  expect(template.spec.taints).toContainEqual({ key: 'a', value: 'b', effect: 'NoExecute' })
  expect(disruption.budgets).toContainEqual(expect.objectContaining({ nodes: '1' }))
  expect(classes[0]?.spec).toEqual({
    imageSelectorTerms: [{ family: 'ContainerOptimizedOS', channel: 'cluster' }],
    disks: [{ boot: true, sizeGiB: 50, category: 'pd-ssd' }],
    kubeletConfiguration: { maxPods: 64 },
    networkTags: ['work'],
    shieldedInstanceConfig: { enableSecureBoot: true },
  })
  expect(plan.kept.map(({ name }) => name)).toEqual(['default-pool'])
  expect(lines.filter((line) => line.includes('unknown field'))).toEqual([])
})
