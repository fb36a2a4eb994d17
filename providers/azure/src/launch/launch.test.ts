import { labels } from '@kerf/apis'
import type { InstanceType, Offering } from '@kerf/engine'
import { parseSettings, SeededRandom } from '@kerf/runtime'
import { nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { azureLabels } from '../label-names.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import { type AzureSettings, azureSettings } from '../settings/azure-settings.ts'
import { parseVmSize } from '../sizes/vm-size.ts'
import { aksNodeClass } from '../testing/aks-node-class.ts'
import { skuSamples } from '../testing/sku-samples.ts'
import { imageFor } from './image-choice.ts'
import { nicBody } from './nic-body.ts'
import { type LabelFacts, nodeLabels } from './node-labels.ts'
import { chooseOffering } from './offering-choice.ts'
import { type VmPlan, vmBody } from './vm-body.ts'

const SUBNET =
  '/subscriptions/1/resourceGroups/MC_demo/providers/Microsoft.Network/virtualNetworks/aks-vnet-12345678/subnets/aks-subnet'
const settingsOf = (env: Readonly<Record<string, string>> = {}): AzureSettings =>
  parseSettings(azureSettings, {
    ...{
      LOCATION: 'westeurope',
      AZURE_NODE_RESOURCE_GROUP: 'MC_(demo)',
      VNET_SUBNET_ID: SUBNET,
      SSH_PUBLIC_KEY: 'ssh-rsa A',
    },
    ...env,
  }).settings

const classOf = (spec: AKSNodeClass['spec'] = {}, status: AKSNodeClass['status'] = {}): AKSNodeClass =>
  aksNodeClass('default', { spec, status: { kubernetesVersion: '1.34.2', ...status } })

const sizeOf = (name: string) => {
  const sku = skuSamples().find((each) => each.name === name)
  const size = sku && parseVmSize(sku, sku.locations?.[0] ?? '')
  if (size === undefined) throw new Error(`no sample of ${name}`)
  return size
}

const is = (key: string, ...values: readonly string[]) => ({ key, operator: 'In', values }) as const

describe('the offering', () => {
  const offering = (price: number, zone: string, capacityType: string, available = true): Offering => ({
    requirements: [
      is(labels.capacityType, capacityType),
      is(labels.zone, zone),
      is(azureLabels.placementScope, zone === '0' ? 'regional' : 'zonal'),
    ],
    ...{ price, available },
  })
  const typeOf = (name: string, ...offerings: readonly Offering[]): InstanceType => ({
    ...{ name, offerings, requirements: [is(labels.instanceType, name)], capacity: {}, overhead: {} },
  })
  const choose = (types: readonly InstanceType[], seed = 1, requirements: readonly ReturnType<typeof is>[] = []) => {
    const found = chooseOffering(types, { requirements, requests: {} }, new SeededRandom(seed))
    return found === undefined
      ? undefined
      : [found.type.name, ...found.offering.requirements.slice(0, 2).map(({ values }) => values?.[0])].join(' ')
  }

  test('is the cheapest available one; spot before on-demand, with a zone before without', () => {
    const a = typeOf('a', offering(2, 'we-1', 'on-demand'), offering(2, '0', 'spot'), offering(2, 'we-1', 'spot'))
    expect(choose([a])).toBe('a spot we-1')
    expect(choose([typeOf('a', offering(2, 'we-1', 'on-demand'), offering(2, '0', 'spot'))])).toBe('a spot 0')
    expect(choose([a, typeOf('b', offering(1, '0', 'on-demand'))])).toBe('b on-demand 0')
    expect(choose([a, typeOf('b', offering(1, '0', 'spot', false))])).toBe('a spot we-1')
    expect(choose([typeOf('a', offering(1, '0', 'spot', false))])).toBeUndefined()
  })

  test('is the first by name for two equal sizes', () => {
    const types = ['b', 'a'].map((name) => typeOf(name, offering(1, 'we-1', 'spot')))
    expect(choose(types)).toBe('a spot we-1')
    expect(choose(types.toReversed())).toBe('a spot we-1')
  })

  test('varies between equal zones, and has no unknown price if another one is known', () => {
    const type = typeOf('a', ...['we-1', 'we-2', 'we-3'].map((zone) => offering(1, zone, 'spot')))
    const zones = Array.from({ length: 40 }, (_, seed) => choose([type], seed + 1))
    expect([...new Set(zones)].toSorted()).toEqual(['a spot we-1', 'a spot we-2', 'a spot we-3'])
    const unknown: Offering = { ...offering(0, 'we-1', 'spot'), price: undefined }
    expect(choose([typeOf('a', unknown, offering(9, '0', 'on-demand'))])).toBe('a on-demand 0')
  })

  test('is one that the claim allows', () => {
    const type = typeOf('a', offering(1, 'we-1', 'spot'), offering(5, 'we-2', 'on-demand'))
    expect(choose([type], 1, [is(labels.zone, 'we-2')])).toBe('a on-demand we-2')
  })
})

describe('the image', () => {
  const image = (id: string, arch: string, generation: string) => ({
    id,
    requirements: [is('kubernetes.io/arch', arch), is('karpenter.azure.com/sku-hyperv-generation', generation)].map(
      ({ key, operator, values }) => ({ key, operator, values: [...values] }),
    ),
  })
  const images = [image('gen2', 'amd64', '2'), image('gen1', 'amd64', '1'), image('arm', 'arm64', '2')]

  test.each([
    [{ arch: 'amd64', generations: ['1', '2'] }, 'gen2'],
    [{ arch: 'amd64', generations: ['1'] }, 'gen1'],
    [{ arch: 'arm64', generations: ['2'] }, 'arm'],
    [{ arch: 'arm64', generations: ['1'] }, undefined],
  ] as const)('for %j: %s', (size, id) => {
    expect(imageFor(size, classOf({}, { images }))).toBe(id)
  })
})

describe('the labels of a new node', () => {
  const facts = (more: Partial<LabelFacts> = {}): LabelFacts => ({
    ...{ nodeClass: classOf(), settings: settingsOf(), subnetId: SUBNET, vnetGuid: 'guid', arch: 'amd64' },
    ...more,
  })
  const claim = nodeClaim('a', {
    metadata: { labels: { 'karpenter.sh/nodepool': 'default', team: 'a', 'node-role.kubernetes.io/x': '' } },
    spec: { requirements: [is('team', 'b'), is('many', 'x', 'y'), is('custom.k8s.io/x', 'z')] },
  })

  test('come from the class, the claim and the choice, without those that a kubelet may not set', () => {
    const offering = [
      is(labels.capacityType, 'spot'),
      is(azureLabels.priority, 'spot'),
      is(azureLabels.placementScope, 'zonal'),
    ]
    expect(nodeLabels(claim, [is(labels.instanceType, 'Standard_D2s_v5')], offering, facts())).toEqual({
      'karpenter.sh/nodepool': 'default',
      'karpenter.sh/capacity-type': 'spot',
      'karpenter.sh/do-not-sync-taints': 'true',
      'karpenter.azure.com/placement-scope': 'zonal',
      'node.kubernetes.io/instance-type': 'Standard_D2s_v5',
      team: 'b',
      'kubernetes.azure.com/role': 'agent',
      'kubernetes.azure.com/cluster': 'MC_-demo-z',
      'kubernetes.azure.com/kubelet-identity-client-id': '',
      'kubernetes.azure.com/mode': 'user',
      // The actual value is set at registration, from the NodeClaim.
      'kubernetes.azure.com/scalesetpriority': 'regular',
      'kubernetes.azure.com/priority': 'regular',
      'kubernetes.azure.com/os-sku': 'Ubuntu',
      'kubernetes.azure.com/os-sku-requested': 'Ubuntu',
      'kubernetes.azure.com/os-sku-effective': 'Ubuntu2404',
      'kubernetes.azure.com/localdns-state': 'disabled',
      'kubernetes.azure.com/ebpf-dataplane': 'cilium',
      'kubernetes.azure.com/network-subnet': 'aks-subnet',
      'kubernetes.azure.com/nodenetwork-vnetguid': 'guid',
      'kubernetes.azure.com/azure-cni-overlay': 'true',
      'kubernetes.azure.com/podnetwork-type': 'overlay',
      'kubernetes.azure.com/network-stateless-cni': 'true',
    })
  })

  test.each<
    readonly [AKSNodeClass, Readonly<Record<string, string>>, string, Readonly<Record<string, string | undefined>>]
  >([
    [
      classOf({ imageFamily: 'AzureLinux' }),
      {},
      'amd64',
      { 'os-sku': 'AzureLinux', 'os-sku-effective': 'AzureLinux3' },
    ],
    [
      classOf({}, { kubernetesVersion: '1.33.5' }),
      {},
      'amd64',
      { 'network-stateless-cni': 'false', 'os-sku-effective': 'Ubuntu2204' },
    ],
    [classOf({ fipsMode: 'FIPS' }), {}, 'amd64', { fips_enabled: 'true', 'os-sku-effective': 'Ubuntu' }],
    [classOf({ artifactStreaming: { enabled: true } }), {}, 'amd64', { 'artifactstreaming-enabled': 'true' }],
    [classOf({ artifactStreaming: { enabled: true } }), {}, 'arm64', { 'artifactstreaming-enabled': undefined }],
    [classOf({}, { localDNSState: 'Enabled' }), {}, 'amd64', { 'localdns-state': 'enabled' }],
    [
      classOf(),
      { NETWORK_PLUGIN_MODE: '', NETWORK_DATAPLANE: 'azure' },
      'amd64',
      { 'network-subnet': undefined, 'ebpf-dataplane': undefined },
    ],
  ])('%#', (nodeClass, env, arch, expected) => {
    const found = nodeLabels(claim, [], [], facts({ nodeClass, settings: settingsOf(env), arch }))
    for (const [name, value] of Object.entries(expected))
      expect(found[`kubernetes.azure.com/${name}`], name).toBe(value)
  })
})

describe('the network interface', () => {
  const plan = {
    ...{ name: 'aks-a', size: { acceleratedNetworking: true }, subnetId: SUBNET, maxPods: 30, tags: { a: 'b' } },
    ...{ backendPools: ['/pools/a'], securityGroup: undefined },
  }

  test('has one address with overlay, and joins the load balancers', () => {
    expect(nicBody({ ...plan, settings: settingsOf() })).toEqual({
      location: 'westeurope',
      tags: { a: 'b' },
      properties: {
        ipConfigurations: [
          {
            name: 'aks-a',
            properties: {
              privateIPAllocationMethod: 'Dynamic',
              subnet: { id: SUBNET },
              primary: true,
              loadBalancerBackendAddressPools: [{ id: '/pools/a' }],
            },
          },
        ],
        enableAcceleratedNetworking: true,
        enableIPForwarding: false,
      },
    })
  })

  test('has an address for each pod without overlay, and the security group in a user’s network', () => {
    const { properties } = nicBody({
      ...plan,
      settings: settingsOf({ NETWORK_PLUGIN_MODE: '' }),
      securityGroup: '/nsg',
    })
    const addresses = properties?.ipConfigurations ?? []
    expect(addresses).toHaveLength(30)
    expect(addresses.map(({ name }) => name).slice(0, 3)).toEqual(['aks-a', 'ipconfig1', 'ipconfig2'])
    expect(addresses[1]?.properties.loadBalancerBackendAddressPools).toBeUndefined()
    expect(properties?.networkSecurityGroup).toEqual({ id: '/nsg' })
    const none = nicBody({ ...plan, settings: settingsOf({ NETWORK_PLUGIN: 'none', NETWORK_PLUGIN_MODE: '' }) })
    expect(none.properties?.ipConfigurations).toHaveLength(1)
  })
})

describe('the VM', () => {
  const sizeWithCache = {
    ...sizeOf('Standard_D4s_v3'),
    ephemeralOsDisk: { sizeGB: 100, placement: 'CacheDisk' },
  } as const
  const planOf = (more: Partial<VmPlan> = {}): VmPlan => ({
    ...{ name: 'aks-a', nodeClass: classOf({ osDiskSizeGB: 128 }), settings: settingsOf(), size: sizeWithCache },
    ...{ zone: '2', isSpot: false, hasUltraSsd: false, nicId: '/nic', customData: 'c2VjcmV0', tags: { a: 'b' } },
    imageId: '/CommunityGalleries/AKSUbuntu/images/x/versions/1',
    ...more,
  })

  test('on-demand, in a zone, with a managed disk', () => {
    expect(vmBody(planOf())).toEqual({
      location: 'westeurope',
      tags: { a: 'b' },
      zones: ['2'],
      properties: {
        hardwareProfile: { vmSize: 'Standard_D4s_v3' },
        storageProfile: {
          imageReference: { communityGalleryImageId: '/CommunityGalleries/AKSUbuntu/images/x/versions/1' },
          osDisk: { name: 'aks-a', createOption: 'FromImage', diskSizeGB: 128, deleteOption: 'Delete' },
        },
        networkProfile: {
          networkInterfaces: [{ id: '/nic', properties: { primary: true, deleteOption: 'Delete' } }],
        },
        osProfile: {
          computerName: 'aks-a',
          adminUsername: 'azureuser',
          customData: 'c2VjcmV0',
          linuxConfiguration: {
            disablePasswordAuthentication: true,
            ssh: { publicKeys: [{ keyData: 'ssh-rsa A', path: '/home/azureuser/.ssh/authorized_keys' }] },
          },
        },
        priority: 'Regular',
      },
    })
  })

  test('as spot, without a zone, with an ephemeral disk and all options of a class', () => {
    const body = vmBody(
      planOf({
        ...{
          zone: undefined,
          isSpot: true,
          hasUltraSsd: true,
          imageId: '/subscriptions/2/galleries/x/images/y/versions/1',
        },
        nodeClass: classOf({ osDiskSizeGB: 100, security: { encryptionAtHost: true, trustedLaunch: { vtpm: true } } }),
        settings: settingsOf({ NODE_IDENTITIES: '/id/a,/id/b', NODE_OSDISK_DISKENCRYPTIONSET_ID: '/des' }),
      }),
    )
    expect(body.zones).toBeUndefined()
    expect(body.identity).toEqual({ type: 'UserAssigned', userAssignedIdentities: { '/id/a': {}, '/id/b': {} } })
    expect(body.properties).toMatchObject({
      storageProfile: {
        imageReference: { id: '/subscriptions/2/galleries/x/images/y/versions/1' },
        osDisk: {
          diffDiskSettings: { option: 'Local', placement: 'CacheDisk' },
          caching: 'ReadOnly',
          managedDisk: { diskEncryptionSet: { id: '/des' } },
        },
      },
      ...{ priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: -1 } },
      securityProfile: {
        ...{ encryptionAtHost: true, securityType: 'TrustedLaunch' },
        uefiSettings: { vTpmEnabled: true, secureBootEnabled: false },
      },
      additionalCapabilities: { ultraSSDEnabled: true },
    })
    const plain = vmBody(planOf({ nodeClass: classOf({ security: { encryptionAtHost: false } }) }))
    expect(plain.properties?.securityProfile).toEqual({ encryptionAtHost: false })
  })
})
