import type { KubeObject } from '@kerf/apis'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { openTypes } from '../../../../packages/cli/src/cluster/instance-types.ts'
import { draftMigration } from '../../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../../packages/cli/src/migrate/groups/read-sources.ts'
import { rehearsalProblems } from '../../../../packages/cli/src/migrate/rehearse/rehearsal-report.ts'
import { rehearseMigration } from '../../../../packages/cli/src/migrate/rehearse/rehearse-migration.ts'
import { workload } from '../../../../tests/integration/migrate/objects.ts'

const CLUSTER = '/subscriptions/1/resourcegroups/shop-rg/providers/Microsoft.ContainerService/managedClusters/shop'
const SIZE = 'Standard_D4s_v5'
const SUBNET = '/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes'

/** Returns a node pool in the format of `az aks nodepool list --output json` (https://learn.microsoft.com/cli/azure/aks/nodepool). */
const poolNamed = (name: string, more: object = {}) => ({
  ...{
    availabilityZones: null,
    capacityReservationGroupId: null,
    count: 3,
    creationData: null,
    currentOrchestratorVersion: '1.33.5',
  },
  ...{
    enableAutoScaling: true,
    enableEncryptionAtHost: false,
    enableFips: false,
    enableNodePublicIp: false,
    enableUltraSsd: false,
  },
  ...{ eTag: 'a1', gpuInstanceProfile: null, gpuProfile: null, hostGroupId: null, id: `${CLUSTER}/agentPools/${name}` },
  ...{
    kubeletConfig: null,
    kubeletDiskType: 'OS',
    linuxOsConfig: null,
    maxCount: 9,
    maxPods: 250,
    minCount: 0,
    mode: 'User',
    name,
  },
  ...{
    networkProfile: null,
    nodeImageVersion: 'AKSUbuntu-2204gen2containerd-202601.05.0',
    nodeLabels: null,
    nodeTaints: null,
  },
  ...{ orchestratorVersion: '1.33.5', osDiskSizeGb: 128, osDiskType: 'Managed', osSku: 'Ubuntu', osType: 'Linux' },
  ...{
    podSubnetId: null,
    powerState: { code: 'Running' },
    provisioningState: 'Succeeded',
    proximityPlacementGroupId: null,
  },
  ...{ resourceGroup: 'shop-rg', scaleDownMode: 'Delete', scaleSetEvictionPolicy: null, scaleSetPriority: null },
  ...{ securityProfile: { enableSecureBoot: false, enableVtpm: false }, spotMaxPrice: null, tags: null },
  ...{ type: 'Microsoft.ContainerService/managedClusters/agentPools', typePropertiesType: 'VirtualMachineScaleSets' },
  ...{
    upgradeSettings: { maxSurge: '10%', maxUnavailable: '0' },
    vmSize: SIZE,
    vnetSubnetId: null,
    workloadRuntime: 'OCIContainer',
  },
  ...more,
})

const system = poolNamed('system', { mode: 'System', minCount: 2, count: 2, maxCount: 3 })

const drafted = async (documents: readonly unknown[], options: { readonly keep?: readonly string[] | false } = {}) => {
  const folder = await draftMigration(
    await readSources(documents.map((value) => ({ value, file: 'in' }))),
    { outputDir: 'out', variant: 'faithful', ...options },
    Date.parse('2026-11-27T00:00:00Z'),
  )
  const objects = (file: string) =>
    parseAllDocuments(folder.files.get(file) ?? '').map(
      (document) => document.toJS() as KubeObject & { readonly spec: ReturnType<typeof JSON.parse> },
    )
  const conversions = folder.conversions.map(
    ({ object, field, fate, to, because }) => `${object} | ${field} | ${to ?? fate} | ${because ?? ''}`,
  )
  return { ...folder, lines: conversions, pools: objects('nodepools.yaml'), classes: objects('nodeclasses.yaml') }
}

test('node pools become NodePools and AKSNodeClasses; the system pool stays', async () => {
  const spot = poolNamed('spot', {
    ...{
      scaleSetPriority: 'Spot',
      scaleSetEvictionPolicy: 'Delete',
      spotMaxPrice: -1,
      minCount: 1,
      maxCount: 20,
      count: 4,
    },
    ...{ nodeLabels: { team: 'batch' }, nodeTaints: ['kubernetes.azure.com/scalesetpriority=spot:NoSchedule', 'odd'] },
    ...{ availabilityZones: ['1', '3'], osDiskSizeGb: 256, osSku: 'AzureLinux', vnetSubnetId: SUBNET, maxPods: 60 },
    ...{ enableEncryptionAtHost: true, tags: { owner: 'batch' }, linuxOsConfig: { swapFileSizeMb: 1500 } },
    kubeletConfig: {
      cpuManagerPolicy: 'static',
      cpuCfsQuota: null,
      containerLogMaxSizeMb: 20,
      imageGcHighThreshold: 70,
      failSwapOn: false,
    },
  })
  const { pools, classes, lines, plan } = await drafted([[system, poolNamed('web'), spot]])
  expect(pools.map(({ metadata }) => metadata.name)).toEqual(['web', 'spot'])
  expect(pools[1]?.spec).toMatchObject({
    template: {
      metadata: { labels: { team: 'batch' } },
      spec: {
        nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'spot' },
        requirements: [
          { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['Standard_D4s_v5'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
          { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
        ],
        taints: expect.arrayContaining([
          { key: 'kubernetes.azure.com/scalesetpriority', value: 'spot', effect: 'NoSchedule' },
        ]),
      },
    },
    limits: { nodes: '20' },
  })
  expect(
    classes.map(({ apiVersion, kind, metadata, spec }) => ({ apiVersion, kind, name: metadata.name, spec })),
  ).toEqual([
    {
      ...{ apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass', name: 'web' },
      spec: { imageFamily: 'Ubuntu', osDiskSizeGB: 128, maxPods: 250 },
    },
    {
      ...{ apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass', name: 'spot' },
      spec: {
        ...{ imageFamily: 'AzureLinux', vnetSubnetID: SUBNET, osDiskSizeGB: 256, maxPods: 60 },
        security: { encryptionAtHost: true },
        kubelet: {
          cpuManagerPolicy: 'static',
          imageGCHighThresholdPercent: 70,
          containerLogMaxSize: '20Mi',
          failSwapOn: false,
        },
        tags: { owner: 'batch' },
      },
    },
  ])
  expect(plan.kept).toMatchObject([{ name: 'system', because: 'it is a system pool of AKS' }])
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^AKS node pool spot \| linuxosconfig \| not carried over \| .*aksmachineapi/),
      expect.stringContaining('AKS node pool spot | taint odd | not carried over'),
      expect.stringContaining('AKS node pool web | orchestratorversion | not carried over'),
    ]),
  )
  expect(lines.filter((line) => line.includes('unknown field'))).toEqual([])
  expect(plan.questions.map(({ object, message }) => `${object}: ${message}`)).toContainEqual(
    'AKS node pool spot: in which location is it? Its zones are left out; give what az aks show --output json prints instead',
  )
})

test('pools from az aks show and from the REST API give the same result, with zones', async () => {
  const { name: _name, id: _id, ...profile } = poolNamed('web', { availabilityZones: ['1', '2'] })
  const shown = {
    name: 'shop',
    location: 'westeurope',
    resourceGroup: 'shop-rg',
    agentPoolProfiles: [system, { name: 'web', ...profile }],
  }
  const { pools, plan } = await drafted([shown])
  expect(pools[0]?.spec.template.spec.requirements).toContainEqual({
    ...{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['westeurope-1', 'westeurope-2'] },
  })
  expect(plan.questions).toEqual([])
  const rest = {
    id: `${CLUSTER}/agentPools/web`,
    name: 'web',
    type: 'Microsoft.ContainerService/managedClusters/agentPools',
    properties: {
      count: 2,
      vmSize: SIZE,
      osSKU: 'Ubuntu2204',
      osDiskSizeGB: 64,
      mode: 'User',
      type: 'VirtualMachineScaleSets',
    },
  }
  const { classes, pools: own } = await drafted([rest])
  expect(classes[0]?.spec).toEqual({ imageFamily: 'Ubuntu2204', osDiskSizeGB: 64 })
  // AKS does not scale this node pool, so its limit is its number of nodes.
  expect(own[0]?.spec.limits.nodes).toBe('2')
})

test('the commands for Azure name the pool, its cluster and its resource group', async () => {
  const { plan } = await drafted([[system, poolNamed('web', { minCount: 2 })]])
  const commands = plan.phases
    .flatMap(({ steps }) => steps)
    .flatMap((step) => (step.do === 'by hand' ? [...step.commands, ...step.back] : []))
  const flags = '--resource-group shop-rg --cluster-name shop --name web'
  expect(commands).toContain(`az aks nodepool update ${flags} --update-cluster-autoscaler --min-count 0 --max-count 9`)
  expect(commands).toContain(`az aks nodepool update ${flags} --update-cluster-autoscaler --min-count 2 --max-count 9`)
  expect(commands).toContain(`az aks nodepool delete ${flags}`)
  expect(commands.filter((command) => !/^(az aks|kerf|kubectl) /.test(command))).toEqual([])
})

test('Windows pools and truncated input are named in the report', async () => {
  const { plan, lines } = await drafted([
    [
      poolNamed('web'),
      poolNamed('win', { osType: 'Windows', osSku: 'Windows2022' }),
      { type: 'Microsoft.ContainerService/managedClusters/agentPools' },
    ],
  ])
  expect(plan.questions.map(({ message }) => message)).toContainEqual(expect.stringContaining('keep it with --keep'))
  expect(lines).toContainEqual(expect.stringContaining('AKS node pool | not carried over | it has no name'))
})

test('the migration of a cluster is rehearsed completely', async () => {
  const documents = [
    [system, poolNamed('web', { count: 6, maxCount: 12 })],
    workload({ namespace: 'shop', name: 'web', replicas: 12, cpu: '1500m', memory: '2Gi' }),
  ]
  const { plan, files } = await drafted(documents)
  // The NodePools allow only this size. Leaving out the other sizes makes the rehearsal faster.
  const { types } = await openTypes({ instanceTypes: 'azure', region: 'westeurope' })
  const instanceTypes = types.filter(({ name }) => name === SIZE)
  const rehearsal = await rehearseMigration(
    { folder: 'out', plan: { ...plan, questions: [] }, files },
    { seed: 1, instanceTypes },
  )
  expect(rehearsalProblems(rehearsal)).toEqual([])
  expect(rehearsal.after).toMatchObject({ waiting: 0, groupNodes: 0 })
})

/** `autoScalerProfile` in the formats of the Azure CLI, of the REST API, and of Terraform's state. */
const profiles = {
  az: {
    balanceSimilarNodeGroups: 'false',
    expander: 'priority',
    maxEmptyBulkDelete: '4',
    scaleDownDelayAfterAdd: '3m',
    scaleDownUnneededTime: '20m',
    skipNodesWithSystemPods: 'true',
  },
  rest: {
    'balance-similar-node-groups': 'false',
    expander: 'priority',
    'max-empty-bulk-delete': '4',
    'scale-down-delay-after-add': '3m',
    'scale-down-unneeded-time': '20m',
    'skip-nodes-with-system-pods': 'true',
  },
  terraform: {
    balance_similar_node_groups: false,
    expander: 'priority',
    empty_bulk_delete_max: '4',
    scale_down_delay_after_add: '3m',
    scale_down_unneeded: '20m',
    skip_nodes_with_system_pods: true,
  },
}

const aksCluster = (profile: object) => ({
  ...{ id: CLUSTER, name: 'shop', location: 'westeurope', resourceGroup: 'shop-rg' },
  agentPoolProfiles: [system, poolNamed('work', { availabilityZones: ['1'] })],
  autoScalerProfile: profile,
})

/** The output of `terraform show -json` for the same cluster. */
const terraformCluster = {
  format_version: '1.0',
  terraform_version: '1.9.0',
  values: {
    root_module: {
      resources: [
        {
          address: 'azurerm_kubernetes_cluster.shop',
          mode: 'managed',
          type: 'azurerm_kubernetes_cluster',
          values: {
            ...{ id: CLUSTER, name: 'shop', location: 'westeurope', resource_group_name: 'shop-rg' },
            default_node_pool: [
              {
                name: 'system',
                vm_size: 'Standard_D4s_v5',
                auto_scaling_enabled: true,
                min_count: 2,
                max_count: 3,
                node_count: 2,
              },
            ],
            auto_scaler_profile: [profiles.terraform],
          },
        },
        {
          address: 'azurerm_kubernetes_cluster_node_pool.work',
          mode: 'managed',
          type: 'azurerm_kubernetes_cluster_node_pool',
          values: {
            ...{ id: `${CLUSTER}/agentPools/work`, kubernetes_cluster_id: CLUSTER, name: 'work', mode: 'User' },
            ...{ vm_size: 'Standard_D4s_v5', auto_scaling_enabled: true, min_count: 0, max_count: 9, node_count: 3 },
            ...{ zones: ['1'], node_labels: { team_a: 'x' }, node_taints: ['a=b:NoSchedule'], max_pods: 110 },
            ...{ os_disk_size_gb: 64, os_sku: 'AzureLinux', fips_enabled: false, tags: { cost_centre: '7' } },
            kubelet_config: [{ cpu_cfs_quota_enabled: true, pod_max_pid: 100 }],
            upgrade_settings: [{ max_surge: '10%', max_unavailable: '1' }],
          },
        },
      ],
    },
  },
}

test.each([
  ['the Azure CLI', profiles.az, aksCluster(profiles.az)],
  ['the REST API', profiles.rest, aksCluster(profiles.rest)],
  ['Terraform', profiles.terraform, terraformCluster],
])('the profile of AKS’s autoscaler counts like flags, from %s', async (_source, profile, document) => {
  const { pools, plan, conversions } = await drafted([document])
  const work = pools.find(({ metadata }) => metadata.name === 'work')
  expect(work?.spec.disruption.consolidateAfter).toBe('20m0s')
  expect(work?.spec.limits.nodes).toBe('9')
  expect(plan.autoscaler.flags).toEqual({
    ...{ 'balance-similar-node-groups': 'false', expander: 'priority', 'max-empty-bulk-delete': '4' },
    ...{ 'scale-down-delay-after-add': '3m', 'scale-down-unneeded-time': '20m', 'skip-nodes-with-system-pods': 'true' },
  })
  const reported = conversions.filter(({ object }) => object === 'AKS cluster shop')
  expect(reported.map(({ field }) => field)).toEqual(Object.keys(profile).map((field) => `autoScalerProfile.${field}`))
  for (const { to, because } of reported) expect(to ?? because).toBeTruthy()
  expect(reported.filter(({ because }) => because?.includes('does not know') === true)).toEqual([])
})

test('node pools from Terraform equal those from the API', async () => {
  const { pools, classes, conversions } = await drafted([terraformCluster])
  expect(pools.map(({ metadata }) => metadata.name)).toEqual(['work'])
  const { template } = pools[0]?.spec ?? {}
  expect(template.metadata.labels).toMatchObject({ team_a: 'x' })
  expect(template.spec.taints).toContainEqual({ key: 'a', value: 'b', effect: 'NoSchedule' })
  expect(JSON.stringify(template.spec.requirements)).toContain('westeurope-1')
  expect(classes[0]?.spec).toMatchObject({
    ...{ imageFamily: 'AzureLinux', maxPods: 110, osDiskSizeGB: 64, tags: { cost_centre: '7' } },
    kubelet: { cpuCFSQuota: true, podPidsLimit: 100 },
  })
  expect(conversions.filter(({ because }) => because?.includes('does not know') === true)).toEqual([])
})

test('the profile is ignored if the cluster runs its own Cluster Autoscaler', async () => {
  const deployment = {
    ...{
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'cluster-autoscaler', namespace: 'kube-system' },
    },
    spec: {
      selector: { matchLabels: { app: 'cas' } },
      template: {
        metadata: { labels: { app: 'cas' } },
        spec: {
          containers: [
            {
              name: 'cas',
              image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.33.0',
              command: ['./cluster-autoscaler', '--cloud-provider=azure'],
            },
          ],
        },
      },
    },
  }
  const { conversions, plan } = await drafted([aksCluster(profiles.az), deployment])
  expect(plan.autoscaler.flags).toEqual({ 'cloud-provider': 'azure' })
  const reported = conversions.filter(({ object }) => object === 'AKS cluster shop')
  expect(reported).toHaveLength(6)
  for (const { because } of reported) expect(because).toContain('its flags apply')
})
