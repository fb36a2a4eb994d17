import type { KubeObject } from '@kerf/apis'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { openTypes } from '../../cli/src/cluster/instance-types.ts'
import { draftMigration } from '../../cli/src/migrate/draft-migration.ts'
import { readSources } from '../../cli/src/migrate/groups/read-sources.ts'
import { rehearsalProblems } from '../../cli/src/migrate/rehearse/rehearsal-report.ts'
import { rehearseMigration } from '../../cli/src/migrate/rehearse/rehearse-migration.ts'
import { workload } from './example-clusters/objects.ts'

const CLUSTER = '/subscriptions/1/resourcegroups/shop-rg/providers/Microsoft.ContainerService/managedClusters/shop'
const SUBNET = '/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes'

/** A pool as `az aks nodepool list --output json` prints it (https://learn.microsoft.com/cli/azure/aks/nodepool). */
const poolOf = (name: string, more: object = {}) => ({
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
    vmSize: 'Standard_D4s_v5',
    vnetSubnetId: null,
    workloadRuntime: 'OCIContainer',
  },
  ...more,
})

const system = poolOf('system', { mode: 'System', minCount: 2, count: 2, maxCount: 3 })

const drafted = async (documents: readonly unknown[], options: { readonly keep?: readonly string[] | false } = {}) => {
  const folder = await draftMigration(
    readSources(documents.map((value) => ({ value, file: 'in' }))),
    { outputDir: 'out', variant: 'faithful', ...options },
    Date.parse('2026-11-27T00:00:00Z'),
  )
  const objects = (file: string) =>
    parseAllDocuments(folder.files.get(file) ?? '').map(
      (document) => document.toJS() as KubeObject & { readonly spec: ReturnType<typeof JSON.parse> },
    )
  const fates = folder.fates.map(
    ({ object, field, fate, to, because }) => `${object} | ${field} | ${to ?? fate} | ${because ?? ''}`,
  )
  return { ...folder, lines: fates, pools: objects('nodepools.yaml'), classes: objects('nodeclasses.yaml') }
}

test('node pools become NodePools and AKSNodeClasses; the system pool stays', async () => {
  const spot = poolOf('spot', {
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
  const { pools, classes, lines, plan } = await drafted([[system, poolOf('web'), spot]])
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
  expect(lines.filter((line) => line.includes('Kerf does not know this field'))).toEqual([])
  expect(plan.questions.map(({ object, message }) => `${object}: ${message}`)).toContainEqual(
    'AKS node pool spot: in which location is it? Its zones are left out; give what az aks show --output json prints instead',
  )
})

test('the pools of az aks show and of the REST API say the same, with zones', async () => {
  const { name: _name, id: _id, ...profile } = poolOf('web', { availabilityZones: ['1', '2'] })
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
      vmSize: 'Standard_D4s_v5',
      osSKU: 'Ubuntu2204',
      osDiskSizeGB: 64,
      mode: 'User',
      type: 'VirtualMachineScaleSets',
    },
  }
  const { classes, pools: own } = await drafted([rest])
  expect(classes[0]?.spec).toEqual({ imageFamily: 'Ubuntu2204', osDiskSizeGB: 64 })
  // A pool that AKS does not scale has as many nodes as it has.
  expect(own[0]?.spec.limits.nodes).toBe('2')
})

test('the commands for Azure are of the pool, its cluster and its resource group', async () => {
  const { plan } = await drafted([[system, poolOf('web', { minCount: 2 })]])
  const commands = JSON.stringify(plan.phases)
  const flags = '--resource-group shop-rg --cluster-name shop --name web'
  expect(commands).toContain(`az aks nodepool update ${flags} --update-cluster-autoscaler --min-count 0 --max-count 9`)
  expect(commands).toContain(`az aks nodepool update ${flags} --update-cluster-autoscaler --min-count 2 --max-count 9`)
  expect(commands).toContain(`az aks nodepool delete ${flags}`)
  expect(commands).not.toContain('aws ')
})

test('Windows and what is cut off are named', async () => {
  const { plan, lines } = await drafted([
    [
      poolOf('web'),
      poolOf('win', { osType: 'Windows', osSku: 'Windows2022' }),
      { type: 'Microsoft.ContainerService/managedClusters/agentPools' },
    ],
  ])
  expect(plan.questions.map(({ message }) => message)).toContainEqual(expect.stringContaining('keep it with --keep'))
  expect(lines).toContainEqual(expect.stringContaining('AKS node pool | not carried over | it has no name'))
})

test('the migration of a cluster is rehearsed to the end', async () => {
  const documents = [
    [system, poolOf('web', { count: 6, maxCount: 12 })],
    workload({ namespace: 'shop', name: 'web', replicas: 12, cpu: '1500m', memory: '2Gi' }),
  ]
  const { plan, files } = await drafted(documents)
  const { types } = await openTypes({ instanceTypes: 'azure', region: 'westeurope' })
  const rehearsal = await rehearseMigration(
    { folder: 'out', plan: { ...plan, questions: [] }, files },
    { seed: 1, instanceTypes: types },
  )
  expect(rehearsalProblems(rehearsal)).toEqual([])
  expect(rehearsal.after).toMatchObject({ waiting: 0, groupNodes: 0 })
})
