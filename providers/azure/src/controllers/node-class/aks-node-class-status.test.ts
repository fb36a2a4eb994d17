import { karpenterKinds } from '@kerf/apis'
import { nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { aksNodeClassKind } from '../../node-class/aks-node-class.ts'
import { nodeClassHash } from '../../node-class/hash.ts'
import {
  CLUSTER_SUBNET,
  ENCRYPTION_SET,
  MINUTE,
  NETWORKS,
  NEW,
  nodeClassHarness,
  OLD,
  refused,
} from '../../testing/node-class-harness.ts'

const scheduleOf = (start: number, end: number) => ({
  'aksManagedNodeOSUpgradeSchedule-start': new Date(start).toISOString(),
  'aksManagedNodeOSUpgradeSchedule-end': new Date(end).toISOString(),
})

test('a class with all its resources is Ready, and its status lists what nodes start from', async () => {
  const { nodeClass, told, images } = await nodeClassHarness()
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

describe('the Kubernetes version', () => {
  test('a newer version updates the images even if the maintenance window is closed; an older one is ignored', async () => {
    const { answers, clock, nodeClass, images, setWindow } = await nodeClassHarness()
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

  test('a newer version without known images stops launches until the images are known', async () => {
    const { answers, clock, told, images } = await nodeClassHarness()
    answers.version = 'v1.34.0'
    answers.images = refused(503, 'ServiceUnavailable')
    await clock.advance(20 * MINUTE)
    expect(await told('ImagesReady')).toBe(
      'False KubernetesUpgrade: Kubernetes was upgraded from 1.33.5 to 1.34.0: looking up images for it',
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

  test.each([
    ['none', undefined, '202602.02.0', /^True ImagesReady: $/],
    ['without keys', () => ({ other: 'x' }), '202602.02.0', /^True ImagesReady: $/],
    ['open', open, '202602.02.0', /^True ImagesReady: $/],
    ['closed', closed, '202601.05.0', /^True ImagesReady: newer images are used from 2\d{3}-.* to 2\d{3}-/],
    [
      'half configured',
      (now: number) => ({ 'aksManagedNodeOSUpgradeSchedule-start': new Date(now).toISOString() }),
      '202601.05.0',
      /^True ImagesReady: the maintenance window is invalid.* has no aksManagedNodeOSUpgradeSchedule-end; set it/,
    ],
    [
      'with an invalid time',
      () => ({ 'aksManagedNodeOSUpgradeSchedule-start': 'tonight', 'aksManagedNodeOSUpgradeSchedule-end': 'later' }),
      '202601.05.0',
      /^True ImagesReady: the maintenance window is invalid.*"tonight" is not an RFC 3339 time/,
    ],
  ] as const)('%s', async (_name, windowOf, version, message) => {
    // A later process has no cached gallery answer. It finds the images that the earlier process wrote to the status.
    const earlier = await nodeClassHarness()
    const { status } = await earlier.nodeClass()
    const { told, images } = await nodeClassHarness({
      ...(status === undefined ? {} : { status }),
      ...(windowOf === undefined ? {} : { window: { ...windowOf(earlier.clock.now()) } }),
      published: { '2204gen2containerd': [NEW, OLD] },
    })
    expect((await images())[0]).toBe(`2204gen2containerd/versions/${version}`)
    expect(await told('ImagesReady')).toMatch(message)
  })

  test('while the window is closed, a new definition gets its newest version, and an unused one is removed', async () => {
    const { answers, clock, images, edit, setWindow } = await nodeClassHarness()
    await setWindow(closed(clock.now()))
    answers.community['2404gen2containerd'] = [NEW, OLD]
    await edit({ imageFamily: 'Ubuntu2404' })
    expect(await images()).toEqual(['2404gen2containerd/versions/202602.02.0'])
  })

  test('an unreadable window is reported in one event', async () => {
    const { clock, events, setWindow } = await nodeClassHarness()
    await setWindow({ 'aksManagedNodeOSUpgradeSchedule-end': '2027-01-01T00:00:00Z' })
    await clock.advance(30 * MINUTE)
    expect(events.events.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      expect.stringContaining('has no aksManagedNodeOSUpgradeSchedule-start'),
    ])
  })
})

describe('images', () => {
  test('FIPS images need the shared galleries', async () => {
    const { told } = await nodeClassHarness({ spec: { imageFamily: 'AzureLinux', fipsMode: 'FIPS' } })
    expect(await told('ImagesReady')).toMatch(/^False SIGRequiredForFIPS: .*set USE_SIG=true/)
  })

  test('missing images in the location are reported', async () => {
    const { told } = await nodeClassHarness({ answers: { community: {} } })
    expect(await told('ImagesReady')).toMatch(/^False ImagesNotFound: .*check LOCATION/)
  })

  test('images of the shared galleries have the highest version number of each definition', async () => {
    const shared = (sku: string, version: string, os = 'AKSAzureLinux') => ({ os, sku, version })
    const { images } = await nodeClassHarness({
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
    ['of another subscription', CLUSTER_SUBNET.replace('/1/', '/2/'), /use a subnet of the latter/],
    ['of another virtual network', `${NETWORKS}/other/subnets/a`, /use a subnet of the latter/],
    ['another one of AKS’s own network', `${NETWORKS}/aks-vnet-12345678/subnets/b`, /is managed by AKS/],
  ])('%s is rejected', async (_name, vnetSubnetID, message) => {
    const { told, calls } = await nodeClassHarness({ spec: { vnetSubnetID } })
    expect(await told('SubnetsReady')).toMatch(/^False SubnetIDInvalid: /)
    expect(await told('SubnetsReady')).toMatch(message)
    expect(calls.filter((call) => call.startsWith('subnet'))).toEqual([])
  })

  test('the cluster’s subnet in another case is the cluster’s', async () => {
    const { told } = await nodeClassHarness({ spec: { vnetSubnetID: CLUSTER_SUBNET.replace('aks-vnet', 'AKS-VNET') } })
    expect(await told('SubnetsReady')).toMatch(/^True/)
  })

  test('a missing subnet is reported, and found a minute after its creation', async () => {
    const { told, answers, clock } = await nodeClassHarness({ answers: { subnet: refused(404, 'NotFound') } })
    expect(await told('SubnetsReady')).toMatch(/^False SubnetNotFound: .*create it, or correct spec\.vnetSubnetID/)
    answers.subnet = undefined
    await clock.advance(MINUTE + 1_000)
    expect(await told('SubnetsReady')).toMatch(/^True/)
  })

  test.each([
    [refused(403, 'AuthorizationFailed'), 'SubnetUnknownError', /assign the missing role/],
    [refused(401, 'ExpiredAuthenticationToken'), 'SubnetUnknownError', /federated credential/],
  ])('a subnet that may not be read is Unknown; a known one stays', async (error, reason, remedy) => {
    const never = await nodeClassHarness({ answers: { subnet: error } })
    expect(await never.told('SubnetsReady')).toMatch(new RegExp(`^Unknown ${reason}: `))
    expect(await never.told('SubnetsReady')).toMatch(remedy)
    const before = await nodeClassHarness()
    before.answers.subnet = error
    await before.clock.advance(4 * MINUTE)
    expect(await before.told('SubnetsReady')).toMatch(/^True SubnetsReady: continuing with the previous result/)
    expect(await before.told('Ready')).toMatch(/^True/)
  })
})

describe('the disk encryption set', () => {
  const env = { NODE_OSDISK_DISKENCRYPTIONSET_ID: ENCRYPTION_SET }

  test.each([
    [refused(403, 'AuthorizationFailed'), /^False DiskEncryptionSetRBACMissing: .*role Reader/],
    [refused(401, 'InvalidAuthenticationToken'), /^False DiskEncryptionSetRBACMissing: /],
    [refused(404, 'ResourceNotFound'), /^False DiskEncryptionSetNotFound: .*NODE_OSDISK_DISKENCRYPTIONSET_ID/],
  ])('a refused set is reported, and used a minute after the problem is fixed', async (encryptionSet, message) => {
    const { told, answers, clock } = await nodeClassHarness({ env, answers: { encryptionSet } })
    expect(await told('ValidationSucceeded')).toMatch(message)
    answers.encryptionSet = undefined
    await clock.advance(MINUTE + 1_000)
    expect(await told('ValidationSucceeded')).toMatch(/^True/)
  })

  test('is checked once an hour', async () => {
    const { calls, clock } = await nodeClassHarness({ env })
    await clock.advance(59 * MINUTE)
    expect(calls.filter((call) => call.startsWith('probe'))).toHaveLength(1)
    await clock.advance(10 * MINUTE)
    expect(calls.filter((call) => call.startsWith('probe'))).toHaveLength(2)
  })
})

test('a deleted class waits for its NodeClaims', async () => {
  const { client, clock, nodeClass } = await nodeClassHarness()
  const { group, kind } = aksNodeClassKind
  await client.create(
    karpenterKinds.NodeClaim,
    nodeClaim('busy', { spec: { nodeClassRef: { group, kind, name: 'default' } } }),
  )
  await client.delete(aksNodeClassKind, { name: 'default' })
  await clock.advance(MINUTE)
  expect((await nodeClass()).metadata.deletionTimestamp).toBeDefined()
  await client.delete(karpenterKinds.NodeClaim, { name: 'busy' })
  await clock.advance(MINUTE)
  await expect(nodeClass()).rejects.toThrow('not found')
})
