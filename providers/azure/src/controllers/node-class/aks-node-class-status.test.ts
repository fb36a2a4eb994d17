import {
  type AKSNodeClass,
  type AKSNodeClassSpec,
  findCondition,
  type KubeObject,
  karpenterKinds,
  kinds,
  type ResourceKind,
} from '@kerf/apis'
import { createControllerWorld } from '@kerf/provider-kit/testing/controller-world'
import { type KubeClient, parseSettings } from '@kerf/runtime'
import { nodeClaim } from '@kerf/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CommunityImageVersion, NodeImageVersion } from '../../api/azure-api.ts'
import { AzureApiError } from '../../api/azure-api-error.ts'
import { nodeClassHash } from '../../node-class/hash.ts'
import { azureSettings } from '../../settings/azure-settings.ts'
import { type AksNodeClassParts, aksNodeClassControllers } from './aks-node-class-status.ts'

const MINUTE = 60_000
const NETWORKS = '/subscriptions/1/resourceGroups/MC_demo/providers/Microsoft.Network/virtualNetworks'
const CLUSTER_SUBNET = `${NETWORKS}/aks-vnet-12345678/subnets/aks-subnet`
const ENCRYPTION_SET = '/subscriptions/1/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/own'
const SYSTEM = 'karpenter'

const refused = (status: number, code: string) => new AzureApiError({ status, code, message: `no: ${code}` })

/** What the world's Azure and API server answer; a test changes it while the controllers run. */
interface Answers {
  version: string
  /** By definition; `2204gen2containerd` alone means that the gallery has no other. */
  community: Record<string, readonly CommunityImageVersion[]>
  shared: readonly NodeImageVersion[]
  images: Error | undefined
  subnet: Error | undefined
  encryptionSet: Error | undefined
  policies: Error | undefined
}

const published = (name: string, publishedDate: string): CommunityImageVersion => ({ name, publishedDate })
const OLD = published('202601.05.0', '2026-01-05T00:00:00Z')
const NEW = published('202602.02.0', '2026-02-02T00:00:00Z')

const withVersion = (client: KubeClient, answers: Answers): KubeClient =>
  new Proxy(client, {
    get: (target, name) => {
      if (name === 'raw') return async () => ({ gitVersion: answers.version })
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: readonly unknown[]) => {
        const [kind] = args
        if (name === 'list' && answers.policies !== undefined && Reflect.get(kind ?? {}, 'group') === 'cilium.io')
          return Promise.reject(answers.policies)
        return Reflect.apply(member, target, args)
      }
    },
  })

interface WorldOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly spec?: AKSNodeClassSpec
  readonly answers?: Partial<Answers>
}

const worldOf = async ({ env = {}, spec = {}, answers: given = {} }: WorldOptions = {}) => {
  const answers: Answers = {
    version: 'v1.33.5',
    community: Object.fromEntries(
      ['2204gen2containerd', '2204containerd', '2204gen2arm64containerd', '2404gen2containerd'].map((name) => [
        name,
        [OLD],
      ]),
    ),
    shared: [],
    ...{ images: undefined, subnet: undefined, encryptionSet: undefined, policies: undefined },
    ...given,
  }
  const calls: string[] = []
  const answer = async <T>(call: string, error: Error | undefined, value: () => T): Promise<T> => {
    calls.push(call)
    if (error !== undefined) throw error
    return value()
  }
  const api = {
    images: {
      communityImageVersions: (_gallery, definition) =>
        answer(definition, answers.images, () => answers.community[definition] ?? []),
      nodeImageVersions: () => answer('nodeImageVersions', answers.images, () => answers.shared),
    },
    network: { subnet: (id) => answer(`subnet ${id}`, answers.subnet, () => ({ id })) },
    compute: { probeDiskEncryptionSet: (id) => answer(`probe ${id}`, answers.encryptionSet, () => undefined) },
  } satisfies AksNodeClassParts['api']
  const { settings } = parseSettings(azureSettings, {
    VNET_SUBNET_ID: CLUSTER_SUBNET,
    AZURE_NODE_RESOURCE_GROUP: 'MC_demo',
    ...env,
  })
  const world = await createControllerWorld({
    resources: [],
    controllersOf: (context) =>
      aksNodeClassControllers({
        context: { ...context, client: withVersion(context.client, answers) },
        ...{ api, settings, namespace: SYSTEM },
      }),
  })
  onTestFinished(() => world.stop())
  await world.client.create(karpenterKinds.AKSNodeClass, {
    apiVersion: 'karpenter.azure.com/v1beta1',
    kind: 'AKSNodeClass',
    metadata: { name: 'default' },
    spec,
  })
  await world.start()
  const nodeClass = (): Promise<AKSNodeClass> => world.client.get(karpenterKinds.AKSNodeClass, { name: 'default' })
  const told = async (type: string): Promise<string> => {
    const { status, reason, message } = findCondition(await nodeClass(), type) ?? {}
    return `${status} ${reason}: ${message}`
  }
  return {
    ...{ ...world, answers, calls, nodeClass, told },
    images: async () => ((await nodeClass()).status?.images ?? []).map(({ id }) => id.replace(/^.*\/images\//, '')),
    edit: async (change: object): Promise<void> => {
      await world.client.patch(
        karpenterKinds.AKSNodeClass,
        { name: 'default' },
        { type: 'merge', body: { spec: change } },
      )
      await world.clock.advance(500)
    },
    setWindow: async (data: Readonly<Record<string, string>>): Promise<void> => {
      const metadata = { name: 'upcoming-maintenance-window', namespace: SYSTEM }
      await world.client
        .create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM } })
        .catch(() => undefined)
      await world.client.delete(kinds.ConfigMap, metadata).catch(() => undefined)
      await world.client.create(kinds.ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data })
    },
  }
}

const policyKind: ResourceKind<KubeObject> = {
  ...{ group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy', plural: 'networkpolicies' },
  namespaced: true,
}

const scheduleOf = (start: number, end: number) => ({
  'aksManagedNodeOSUpgradeSchedule-start': new Date(start).toISOString(),
  'aksManagedNodeOSUpgradeSchedule-end': new Date(end).toISOString(),
})

test('a class that has everything is Ready, and says what nodes start from', async () => {
  const { nodeClass, told, images } = await worldOf()
  const { status, metadata } = await nodeClass()
  expect(status?.conditions?.map(({ type, status }) => `${type}=${status}`).toSorted()).toEqual([
    'ImagesReady=True',
    'KubernetesVersionReady=True',
    'LocalDNSReady=True',
    'Ready=True',
    'SubnetsReady=True',
    'ValidationSucceeded=True',
  ])
  expect(status?.kubernetesVersion).toBe('1.33.5')
  expect(status?.localDNSState).toBe('Disabled')
  expect(await images()).toEqual([
    '2204gen2containerd/versions/202601.05.0',
    '2204containerd/versions/202601.05.0',
    '2204gen2arm64containerd/versions/202601.05.0',
  ])
  expect(status?.images?.[0]?.requirements).toEqual([
    { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
    { key: 'karpenter.azure.com/sku-hyperv-generation', operator: 'In', values: ['2'] },
  ])
  expect(metadata.finalizers).toEqual(['karpenter.azure.com/termination'])
  expect(metadata.annotations).toMatchObject({
    'karpenter.azure.com/aksnodeclass-hash': nodeClassHash(await nodeClass()),
    'karpenter.azure.com/aksnodeclass-hash-version': 'v3',
  })
  expect(await told('Ready')).toMatch(/^True/)
})

describe('the version of Kubernetes', () => {
  test('a newer one makes the images newest, though the maintenance window is closed; an older one counts for nothing', async () => {
    const { answers, clock, nodeClass, images, setWindow } = await worldOf()
    await setWindow(scheduleOf(clock.now() + 86_400_000, clock.now() + 90_000_000))
    answers.community['2204gen2containerd'] = [OLD, NEW]
    answers.version = 'v1.33.6'
    await clock.advance(20 * MINUTE)
    expect((await nodeClass()).status?.kubernetesVersion).toBe('1.33.6')
    expect((await images())[0]).toBe('2204gen2containerd/versions/202602.02.0')
    answers.version = 'v1.32.9'
    await clock.advance(20 * MINUTE)
    expect((await nodeClass()).status?.kubernetesVersion).toBe('1.33.6')
  })

  test('a newer one whose images cannot be asked for stops launches until they are known', async () => {
    const { answers, clock, told, images } = await worldOf()
    answers.version = 'v1.34.0'
    answers.images = refused(503, 'ServiceUnavailable')
    await clock.advance(20 * MINUTE)
    expect(await told('ImagesReady')).toBe(
      'False KubernetesUpgrade: Kubernetes went from 1.33.5 to 1.34.0: images for it are being looked up',
    )
    answers.images = undefined
    await clock.advance(2 * MINUTE)
    expect(await told('ImagesReady')).toMatch(/^True/)
    expect(await images()).toEqual(['2404gen2containerd/versions/202601.05.0'])
  })
})

describe('the maintenance window', () => {
  const open = (now: number) => scheduleOf(now - MINUTE, now + 2 * 86_400_000 * 5)
  const closed = (now: number) => scheduleOf(now + 10 * 86_400_000, now + 11 * 86_400_000)
  /** Answers of the gallery are kept for three days. */
  const FORGOTTEN = 3 * 86_400_000 + 10 * MINUTE

  test.each([
    ['none', undefined, '202602.02.0', /^True ImagesReady: $/],
    ['without keys', () => ({ other: 'x' }), '202602.02.0', /^True ImagesReady: $/],
    ['open', open, '202602.02.0', /^True ImagesReady: $/],
    ['closed', closed, '202601.05.0', /^True ImagesReady: newer images are used from 2\d{3}-.* to 2\d{3}-/],
    [
      'half configured',
      (now: number) => ({ 'aksManagedNodeOSUpgradeSchedule-start': new Date(now).toISOString() }),
      '202601.05.0',
      /^True ImagesReady: the maintenance window cannot be read.* has no aksManagedNodeOSUpgradeSchedule-end; set it/,
    ],
    [
      'with a time that is none',
      () => ({ 'aksManagedNodeOSUpgradeSchedule-start': 'tonight', 'aksManagedNodeOSUpgradeSchedule-end': 'later' }),
      '202601.05.0',
      /^True ImagesReady: the maintenance window cannot be read.*"tonight" is no time of RFC 3339/,
    ],
  ] as const)('%s', async (_name, windowOf, version, message) => {
    const { answers, clock, told, images, setWindow } = await worldOf()
    if (windowOf !== undefined) await setWindow({ ...windowOf(clock.now()) })
    answers.community['2204gen2containerd'] = [NEW, OLD]
    await clock.advance(FORGOTTEN)
    expect((await images())[0]).toBe(`2204gen2containerd/versions/${version}`)
    expect(await told('ImagesReady')).toMatch(message)
  })

  test('while it is closed a definition that is new comes newest, and one that is not asked for goes', async () => {
    const { answers, clock, images, edit, setWindow } = await worldOf()
    await setWindow(closed(clock.now()))
    answers.community['2404gen2containerd'] = [NEW, OLD]
    await edit({ imageFamily: 'Ubuntu2404' })
    expect(await images()).toEqual(['2404gen2containerd/versions/202602.02.0'])
  })

  test('a window that cannot be read is told in an event, once', async () => {
    const { clock, events, setWindow } = await worldOf()
    await setWindow({ 'aksManagedNodeOSUpgradeSchedule-end': '2027-01-01T00:00:00Z' })
    await clock.advance(30 * MINUTE)
    expect(events.events.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      expect.stringContaining('has no aksManagedNodeOSUpgradeSchedule-start'),
    ])
  })
})

describe('images', () => {
  test('of FIPS need the shared galleries', async () => {
    const { told } = await worldOf({ spec: { imageFamily: 'AzureLinux', fipsMode: 'FIPS' } })
    expect(await told('ImagesReady')).toMatch(/^False SIGRequiredForFIPS: .*set USE_SIG=true/)
  })

  test('that the location does not have are told', async () => {
    const { told } = await worldOf({ answers: { community: {} } })
    expect(await told('ImagesReady')).toMatch(/^False ImagesNotFound: .*check LOCATION/)
  })

  test('of the shared galleries are those of the newest number of each definition', async () => {
    const shared = (sku: string, version: string, os = 'AKSAzureLinux') => ({ os, sku, version })
    const { images } = await worldOf({
      env: { USE_SIG: 'true', SIG_SUBSCRIPTION_ID: '2' },
      spec: { imageFamily: 'AzureLinux', fipsMode: 'FIPS' },
      answers: {
        shared: [
          shared('V3gen2fips', '202601.9.0'),
          shared('V3gen2fips', '202601.10.0'),
          shared('V3fips', '202601.10.0'),
          shared('V3gen2', '202602.1.0'),
          shared('V3gen2arm64fips', '202601.10.0', 'AKSWindows'),
        ],
      },
    })
    expect(await images()).toEqual(['V3gen2fips/versions/202601.10.0', 'V3fips/versions/202601.10.0'])
  })
})

describe('the subnet', () => {
  test.each([
    ['of another subscription', CLUSTER_SUBNET.replace('/1/', '/2/'), /choose a subnet of the latter/],
    ['of another virtual network', `${NETWORKS}/other/subnets/a`, /choose a subnet of the latter/],
    ['another one of AKS’s own network', `${NETWORKS}/aks-vnet-12345678/subnets/b`, /belongs to AKS/],
  ])('%s is refused', async (_name, vnetSubnetID, message) => {
    const { told, calls } = await worldOf({ spec: { vnetSubnetID } })
    expect(await told('SubnetsReady')).toMatch(/^False SubnetIDInvalid: /)
    expect(await told('SubnetsReady')).toMatch(message)
    expect(calls.filter((call) => call.startsWith('subnet'))).toEqual([])
  })

  test('of the cluster in other letters is the cluster’s', async () => {
    const { told } = await worldOf({ spec: { vnetSubnetID: CLUSTER_SUBNET.replace('aks-vnet', 'AKS-VNET') } })
    expect(await told('SubnetsReady')).toMatch(/^True/)
  })

  test('that does not exist is told, and found a minute after it was created', async () => {
    const { told, answers, clock } = await worldOf({ answers: { subnet: refused(404, 'NotFound') } })
    expect(await told('SubnetsReady')).toMatch(/^False SubnetNotFound: .*create it, or correct spec\.vnetSubnetID/)
    answers.subnet = undefined
    await clock.advance(MINUTE + 1_000)
    expect(await told('SubnetsReady')).toMatch(/^True/)
  })

  test.each([
    [refused(403, 'AuthorizationFailed'), 'SubnetUnknownError', /assign the missing role/],
    [refused(401, 'ExpiredAuthenticationToken'), 'SubnetUnknownError', /federated credential/],
  ])('that may not be read is unknown; one that was found stays', async (error, reason, remedy) => {
    const never = await worldOf({ answers: { subnet: error } })
    expect(await never.told('SubnetsReady')).toMatch(new RegExp(`^Unknown ${reason}: `))
    expect(await never.told('SubnetsReady')).toMatch(remedy)
    const before = await worldOf()
    before.answers.subnet = error
    await before.clock.advance(4 * MINUTE)
    expect(await before.told('SubnetsReady')).toMatch(/^True SubnetsReady: what was found before stays in use/)
    expect(await before.told('Ready')).toMatch(/^True/)
  })
})

describe('the disk encryption set', () => {
  const env = { NODE_OSDISK_DISKENCRYPTIONSET_ID: ENCRYPTION_SET }

  test.each([
    [refused(403, 'AuthorizationFailed'), /^False DiskEncryptionSetRBACMissing: .*role Reader/],
    [refused(401, 'InvalidAuthenticationToken'), /^False DiskEncryptionSetRBACMissing: /],
    [refused(404, 'ResourceNotFound'), /^False DiskEncryptionSetNotFound: .*NODE_OSDISK_DISKENCRYPTIONSET_ID/],
  ])('that is refused is told, and used a minute after that is mended', async (encryptionSet, message) => {
    const { told, answers, clock } = await worldOf({ env, answers: { encryptionSet } })
    expect(await told('ValidationSucceeded')).toMatch(message)
    answers.encryptionSet = undefined
    await clock.advance(MINUTE + 1_000)
    expect(await told('ValidationSucceeded')).toMatch(/^True/)
  })

  test('is asked about once an hour', async () => {
    const { calls, clock } = await worldOf({ env })
    await clock.advance(59 * MINUTE)
    expect(calls.filter((call) => call.startsWith('probe'))).toHaveLength(1)
    await clock.advance(10 * MINUTE)
    expect(calls.filter((call) => call.startsWith('probe'))).toHaveLength(2)
  })
})

describe('a DNS server on the node', () => {
  type LocalDns = NonNullable<AKSNodeClassSpec['localDNS']>
  const override: Omit<LocalDns['vnetDNSOverrides'][number], 'zone' | 'forwardDestination'> = {
    queryLogging: 'Error',
    protocol: 'PreferUDP',
    forwardPolicy: 'Sequential',
    maxConcurrent: 1000,
    cacheDuration: '1h',
    serveStaleDuration: '1h',
    serveStale: 'Immediate',
  }
  const localDNS = (mode: 'Preferred' | 'Required' | 'Disabled'): LocalDns => ({
    mode,
    vnetDNSOverrides: [
      { ...override, zone: '.', forwardDestination: 'VnetDNS' },
      { ...override, zone: 'cluster.local', forwardDestination: 'ClusterCoreDNS' },
    ],
    kubeDNSOverrides: [
      { ...override, zone: '.', forwardDestination: 'ClusterCoreDNS' },
      { ...override, zone: 'cluster.local', forwardDestination: 'ClusterCoreDNS' },
    ],
  })

  test.each([
    ['Required', 'v1.33.5', 'Enabled'],
    ['Disabled', 'v2.0.0', 'Disabled'],
    ['Preferred', 'v1.36.0', 'Disabled'],
    ['Preferred', 'v1.99.0', 'Enabled'],
  ] as const)('%s with %s: %s', async (mode, version, state) => {
    const { nodeClass } = await worldOf({
      spec: { imageFamily: 'Ubuntu2204', localDNS: localDNS(mode) },
      answers: { version },
    })
    expect((await nodeClass()).status?.localDNSState).toBe(state)
  })

  const withPolicies = (network: string): WorldOptions => ({
    spec: { imageFamily: 'Ubuntu2204', localDNS: localDNS('Preferred') },
    env: { NETWORK_POLICY: network },
    answers: { version: 'v1.35.0' },
  })
  const addPolicy = (client: KubeClient, namespace: string, name: string) =>
    client.create(policyKind, {
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { namespace, name } },
    })

  test.each([
    ['calico', 'default', 'deny', 'Disabled'],
    // Without an engine nobody enforces it.
    ['', 'default', 'deny', 'Enabled'],
    // AKS's own.
    ['calico', 'kube-system', 'konnectivity-agent', 'Enabled'],
  ])('with the engine %j and the policy %s/%s: %s', async (network, namespace, name, state) => {
    const { client, answers, clock, nodeClass } = await worldOf(withPolicies(network))
    expect((await nodeClass()).status?.localDNSState).toBe('Disabled')
    await addPolicy(client, namespace, name)
    answers.version = 'v1.99.0'
    await clock.advance(21 * MINUTE)
    expect((await nodeClass()).status?.localDNSState).toBe(state)
  })

  test('what is preferred and found possible is not taken back by a policy', async () => {
    const { client, answers, clock, nodeClass } = await worldOf(withPolicies('calico'))
    answers.version = 'v1.99.0'
    await clock.advance(21 * MINUTE)
    await addPolicy(client, 'default', 'deny')
    await clock.advance(21 * MINUTE)
    expect((await nodeClass()).status?.localDNSState).toBe('Enabled')
  })

  test('a question that the API server does not answer stops launches of a class that never knew, and says so', async () => {
    const { told } = await worldOf({
      spec: { imageFamily: 'Ubuntu2204', localDNS: localDNS('Preferred') },
      env: { NETWORK_POLICY: 'cilium' },
      answers: { version: 'v1.99.0', policies: new Error('the server is on fire') },
    })
    expect(await told('LocalDNSReady')).toMatch(/^False CheckingClusterRequirementsFailed: .*the server is on fire/)
  })
})

test('a class that is deleted waits for its NodeClaims', async () => {
  const { client, clock, nodeClass } = await worldOf()
  const { group, kind } = karpenterKinds.AKSNodeClass
  await client.create(
    karpenterKinds.NodeClaim,
    nodeClaim('busy', { spec: { nodeClassRef: { group, kind, name: 'default' } } }),
  )
  await client.delete(karpenterKinds.AKSNodeClass, { name: 'default' })
  await clock.advance(MINUTE)
  expect((await nodeClass()).metadata.deletionTimestamp).toBeDefined()
  await client.delete(karpenterKinds.NodeClaim, { name: 'busy' })
  await clock.advance(MINUTE)
  await expect(nodeClass()).rejects.toThrow('not found')
})
