import { karpenterKinds, kinds, labels, type NodeClaim } from '@kerf/apis'
import { InsufficientCapacityError, offeringCoordinates } from '@kerf/provider-contract'
import { describe, expect, it, onTestFinished } from 'vitest'
import { typeName } from './instance-types/sized-shape.ts'
import { nativePodNetworkKind } from './launch/native-pod-network.ts'
import { communityLabels, oracleLabels, type Upstream } from './names.ts'
import { AVAILABILITY_DOMAINS, IMAGE, SUBNET } from './testing/fake-oci/names.ts'
import { createOciHarness, type OciHarness, type OciHarnessOptions } from './testing/oci-harness.ts'

const { signal } = new AbortController()
const upstreams: readonly Upstream[] = ['community', 'oracle']

const harness = async (options: OciHarnessOptions = {}): Promise<OciHarness> => {
  const made = await createOciHarness(options)
  onTestFinished(() => {
    made.stop()
    expect(made.oci.problems).toEqual([])
  })
  return made
}

const launch = async (
  { provider, claim }: OciHarness,
  name: string,
  requirements: NodeClaim['spec']['requirements'] = [],
) => {
  const made = await claim(name, { requirements, requests: { cpu: '1', memory: '1Gi' } })
  return { claim: made, view: await provider.create(made, signal) }
}

/** The CRD that Oracle's network plugin installs, without its fields. */
const nativePodNetworkDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${nativePodNetworkKind.plural}.${nativePodNetworkKind.group}` },
  spec: {
    group: nativePodNetworkKind.group,
    scope: 'Cluster',
    names: { kind: nativePodNetworkKind.kind, plural: nativePodNetworkKind.plural, singular: 'nativepodnetwork' },
    versions: [
      {
        name: nativePodNetworkKind.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
} as const

const is = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

describe.each(upstreams)('an instance of the %s kind', (upstream) => {
  it('is launched with the cheapest offering, and listed, read and terminated', async () => {
    const made = await harness({ upstream })
    const { view } = await launch(made, 'a')
    const [instance] = made.account.instances.living()
    expect(instance?.details).toMatchObject({
      displayName: 'a',
      createVnicDetails: { subnetId: SUBNET },
      sourceDetails: { sourceType: 'image' },
      instanceOptions: { areLegacyImdsEndpointsDisabled: true },
    })
    expect(instance?.details.preemptibleInstanceConfig === undefined).toBe(upstream === 'oracle')
    expect(view).toMatchObject({ providerID: instance?.id, nodeClaimName: 'a', nodePool: 'default' })
    expect(view.labels[labels.zone]).toMatch(/^PHX-AD-\d$/)
    const { provider } = made
    expect((await provider.list(signal)).map(({ providerID }) => providerID)).toEqual([view.providerID])
    expect((await provider.get(view.providerID, signal)).providerID).toBe(view.providerID)
  })

  it('has its size in its labels and its capacity', async () => {
    const made = await harness({ upstream })
    const shape = upstream === 'community' ? communityLabels.shape : oracleLabels.shape
    const claim = await made.claim('a', {
      requirements: [is(shape, 'VM.Standard.E4.Flex')],
      requests: { cpu: '3', memory: '20Gi' },
    })
    if (upstream === 'oracle') {
      // The class offers a size with 2 OCPUs and 16 GB, which is too small.
      await expect(made.provider.create(claim, signal)).rejects.toBeInstanceOf(InsufficientCapacityError)
      return
    }
    const view = await made.provider.create(claim, signal)
    expect(made.account.instances.living()[0]?.details.shapeConfig).toEqual({ ocpus: 2, memoryInGBs: 32 })
    expect(view.labels).toMatchObject({
      [labels.instanceType]: 'VM.Standard.E4.Flex',
      [communityLabels.cpu]: '4',
      [communityLabels.memory]: '32768',
    })
    expect(view.capacity).toMatchObject({ cpu: '4' })
  })

  it('is launched in another availability domain if one has no capacity', async () => {
    const made = await harness({ upstream })
    made.account.stockOuts = [{ availabilityDomain: AVAILABILITY_DOMAINS[0] }]
    const { view } = await launch(made, 'a', [is(labels.capacityType, 'on-demand')])
    expect(view.labels[labels.zone]).not.toBe('PHX-AD-1')
  })

  it('is launched elsewhere if the capacity is missing only after the launch was accepted', async () => {
    const made = await harness({ upstream, startsFor: 3_000 })
    made.account.stockOuts = [{ availabilityDomain: AVAILABILITY_DOMAINS[0], isAfterwards: true }]
    const launching = launch(made, 'a', [is(labels.capacityType, 'on-demand')])
    await made.clock.advance(60_000)
    const { view } = await launching
    expect(view.labels[labels.zone]).not.toBe('PHX-AD-1')
    expect((await made.provider.list(signal)).length).toBe(1)
  })
})

it('is launched in a capacity reservation while it has free instances, then on demand', async () => {
  const id = 'ocid1.capacityreservation.oc1.phx.aaaareserved'
  const made = await harness({
    oracle: { capacityReservationConfigs: [{ capacityReservationFilter: { displayName: 'a' } }] },
  })
  made.account.reservations = [
    { ...{ id, name: 'a', shape: 'VM.Standard2.1', count: 1 }, availabilityDomain: AVAILABILITY_DOMAINS[1] },
  ]
  await made.change({ capacityReservationConfigs: [{ capacityReservationId: id }] })
  await made.clock.advance(120_000)
  const requirements = [is(oracleLabels.shape, 'VM.Standard2.1'), is(labels.capacityType, 'reserved', 'on-demand')]
  const { view } = await launch(made, 'a', requirements)
  expect(view.labels).toMatchObject({
    [labels.capacityType]: 'reserved',
    [labels.zone]: 'PHX-AD-2',
    [oracleLabels.reservationId]: 'aaaareserved',
  })
  const second = await launch(made, 'b', requirements)
  expect(second.view.labels[labels.capacityType]).toBe('on-demand')
  expect(made.account.instances.living().map(({ details }) => details.capacityReservationId)).toEqual([id, undefined])
  // After the first instance has ended, the reservation has a free instance again.
  await made.provider.delete(
    { ...(await made.client.get(karpenterKinds.NodeClaim, { name: 'a' })), status: { providerID: view.providerID } },
    signal,
  )
  await made.clock.advance(300_000)
  const third = await launch(made, 'c', requirements)
  expect(third.view.labels[labels.capacityType]).toBe('reserved')
})

it('keeps the class’s image for its architecture', async () => {
  const made = await harness({ upstream: 'community' })
  await launch(made, 'a', [is(labels.arch, 'amd64')])
  expect(made.account.instances.living()[0]?.details.sourceDetails.imageId).toBe(IMAGE)
})

describe('a class of Oracle’s kind with one image', () => {
  it('offers only shapes that can boot the image', async () => {
    const imageConfig = { imageType: 'OKEImage', imageId: IMAGE }
    const made = await harness({ oracle: { volumeConfig: { bootVolumeConfig: { imageConfig } } } })
    const types = await made.provider.instanceTypes(made.pool(), signal)
    const open = types.filter(({ offerings }) => offerings.some(({ available }) => available)).map(({ name }) => name)
    expect(types.some(({ name }) => name.includes('A1'))).toBe(true)
    expect(open.some((name) => name.includes('A1'))).toBe(false)
    await launch(made, 'a')
    expect(made.account.instances.living()).toHaveLength(1)
  })
})

/** Returns the availability domains in which the instance types are available on demand. */
const openZones = async (
  { provider, pool }: OciHarness,
  instanceTypes: readonly string[],
): Promise<readonly string[]> =>
  (await provider.instanceTypes(pool(), signal))
    .filter(({ name }) => instanceTypes.includes(name))
    .flatMap((type) =>
      type.offerings.filter(({ available }) => available).map((each) => offeringCoordinates(type, each)),
    )
    .flatMap(({ zone, capacityType }) => (capacityType === 'on-demand' ? [zone] : []))

describe('a launch that fails more than half a minute after it was accepted', () => {
  it.each(upstreams)('makes the offering of the %s kind unavailable and ends its instance', async (upstream) => {
    const made = await harness({ upstream, startsFor: 90_000 })
    made.account.stockOuts = [{ availabilityDomain: AVAILABILITY_DOMAINS[0], isAfterwards: true }]
    const zone = is(labels.zone, 'PHX-AD-1')
    const launching = launch(made, 'a', [zone, is(labels.capacityType, 'on-demand')])
    await made.clock.advance(31_000)
    const { view } = await launching
    expect(view.labels[labels.zone]).toBe('PHX-AD-1')
    const { shape = '', shapeConfig } = made.account.instances.living()[0]?.details ?? {}
    const size = { ...{ ocpus: 0, memoryInGBs: 0, baseline: 'BASELINE_1_1' as const }, ...shapeConfig }
    const names = [shape, typeName(upstream, shape, size)]
    const controller = made.provider.controllers().find(({ name }) => name === 'instance.launch')
    await controller?.reconcile('', signal)
    expect(await openZones(made, names)).toContain('PHX-AD-1')
    await made.clock.advance(60_000)
    await controller?.reconcile('', signal)
    expect(await openZones(made, names)).not.toContain('PHX-AD-1')
    expect(await openZones(made, names)).toContain('PHX-AD-2')
    expect(made.account.instances.living()).toEqual([])
  })
})

describe('a virtual machine that is still starting when its launch timeout is over', () => {
  it.each([
    ['is terminated if it has no boot volume and failover is on', { failsOver: true, hasHosts: false, isKept: false }],
    ['is kept if it has a boot volume', { failsOver: true, hasHosts: true, isKept: true }],
    ['is kept if failover is off', { failsOver: false, hasHosts: false, isKept: true }],
  ])('%s', async (_, { failsOver, hasHosts, isKept }) => {
    const made = await harness({ failsOver, startsFor: 3_600_000 })
    made.account.hasHosts = hasHosts
    const launching = launch(made, 'a', [is(labels.zone, 'PHX-AD-1'), is(labels.capacityType, 'on-demand')])
    await made.clock.advance(31_000)
    const { view } = await launching
    const { shape = '', shapeConfig } = made.account.instances.living()[0]?.details ?? {}
    const size = { ...{ ocpus: 0, memoryInGBs: 0, baseline: 'BASELINE_1_1' as const }, ...shapeConfig }
    const names = [shape, typeName('oracle', shape, size)]
    const ids = () => made.account.instances.living().map(({ id }) => id)
    const controller = made.provider.controllers().find(({ name }) => name === 'instance.launch')
    await made.clock.advance(240_000)
    await controller?.reconcile('', signal)
    expect(ids()).toEqual([view.providerID])
    await made.clock.advance(70_000)
    await controller?.reconcile('', signal)
    expect(ids()).toEqual(isKept ? [view.providerID] : [])
    expect((await openZones(made, names)).includes('PHX-AD-1')).toBe(isKept)
  })

  it('is kept if its boot volume cannot be read', async () => {
    const made = await harness({ failsOver: true, startsFor: 3_600_000 })
    made.account.hasHosts = false
    const launching = launch(made, 'a')
    await made.clock.advance(31_000)
    const { view } = await launching
    made.oci.fail('ListBootVolumeAttachments', { refusal: { status: 500, code: 'InternalError', message: 'broken' } })
    await made.clock.advance(310_000)
    await made.provider
      .controllers()
      .find(({ name }) => name === 'instance.launch')
      ?.reconcile('', signal)
    expect(made.account.instances.living().map(({ id }) => id)).toEqual([view.providerID])
  })
})

describe('two processes that launch the same NodeClaim', () => {
  it.each(upstreams)('at the same time launch one instance of the %s kind', async (upstream) => {
    const made = await harness({ upstream })
    const claim = await made.claim('a', { requests: { cpu: '1' } })
    const views = await Promise.all([made.provider, made.newProvider()].map((each) => each.create(claim, signal)))
    expect(made.account.instances.living().map(({ id }) => id)).toEqual([views[0]?.providerID])
    expect(views[1]?.providerID).toBe(views[0]?.providerID)
  })

  it.each(upstreams)('launch one instance of the %s kind if only the first one had a shortage', async (upstream) => {
    const made = await harness({ upstream, listLag: 5_000 })
    const [first, second] = [made.provider, made.newProvider()]
    const claim = await made.claim('a', { requests: { cpu: '1' } })
    made.account.stockOuts = [{ availabilityDomain: AVAILABILITY_DOMAINS[0] }]
    const view = await first.create(claim, signal)
    expect(view.labels[labels.zone]).not.toBe('PHX-AD-1')
    made.account.stockOuts = []
    // The second process tries the first availability domain, which has capacity again.
    await expect(second.create(claim, signal)).rejects.toThrow(/looks for its instance/)
    await made.clock.advance(5_000)
    expect((await second.create(claim, signal)).providerID).toBe(view.providerID)
    expect(made.account.instances.living()).toHaveLength(1)
  })
})

it.each(upstreams)(
  'an error 500 after a launch of the %s kind was accepted causes no second instance',
  async (upstream) => {
    const made = await harness({ upstream, listLag: 5_000 })
    const refusal = { status: 500, code: 'InternalServerError', message: 'Internal error' }
    made.oci.failNext('LaunchInstance', { refusal, isAfterwards: true })
    const claim = await made.claim('a', { requests: { cpu: '1' } })
    await expect(made.provider.create(claim, signal)).rejects.toThrow(/Kerf retries the launch/)
    // The class changes, so the repeated launch has different details.
    await made.change(upstream === 'oracle' ? { metadata: { other: 'options' } } : { metaData: { other: 'options' } })
    await expect(made.provider.create(claim, signal)).rejects.toThrow(/looks for its instance/)
    await made.clock.advance(5_000)
    const view = await made.provider.create(claim, signal)
    expect(made.account.instances.living().map(({ id }) => id)).toEqual([view.providerID])
  },
)

describe('a process that crashes', () => {
  it.each(upstreams)('after a launch whose response was lost has one instance of the %s kind', async (upstream) => {
    const made = await harness({ upstream, listLag: 20_000 })
    made.oci.failNext('LaunchInstance', { refusal: 'network', isAfterwards: true })
    const claim = await made.claim('a', { requests: { cpu: '1' } })
    await expect(made.provider.create(claim, signal)).rejects.toThrow(/Kerf retries the launch/)
    // The next process has no data, and lists do not contain the instance yet.
    const view = await made.newProvider().create(claim, signal)
    expect(made.account.instances.living().map(({ id }) => id)).toEqual([view.providerID])
  })

  it('searches for its instance before it launches with different options', async () => {
    const made = await harness({ listLag: 5_000 })
    made.oci.failNext('LaunchInstance', { refusal: 'network', isAfterwards: true })
    const claim = await made.claim('a', { requests: { cpu: '1' } })
    await expect(made.provider.create(claim, signal)).rejects.toThrow()
    await made.change({ metadata: { other: 'options' } })
    const next = made.newProvider()
    await expect(next.create(claim, signal)).rejects.toThrow(/looks for its instance/)
    await made.clock.advance(5_000)
    const view = await next.create(claim, signal)
    expect(made.account.instances.living().map(({ id }) => id)).toEqual([view.providerID])
  })

  it('between the acceptance and the failure of a launch leaves nothing behind', async () => {
    const made = await harness({ startsFor: 3_000 })
    made.account.stockOuts = [{ isAfterwards: true }]
    const claim = await made.claim('a', { requests: { cpu: '1' } })
    const crash = new AbortController()
    const launching = made.provider.create(claim, crash.signal).catch(() => 'crashed')
    await made.clock.advance(1_000)
    crash.abort(new Error('the process ends'))
    expect(await launching).toBe('crashed')
    await made.clock.advance(10_000)
    made.account.stockOuts = []
    const again = made.newProvider().create(claim, signal)
    await made.clock.advance(30_000)
    const view = await again
    expect(made.account.instances.living().map(({ id }) => id)).toEqual([view.providerID])
  })
})

it('ignores instances of another cluster with the same NodePool', async () => {
  const made = await harness()
  const tags = { KarpenterNodePool: 'default', KarpenterNodeClass: 'default' }
  made.account.put({ freeformTags: tags }, 3_600_000)
  made.account.put({ freeformTags: { ...tags, KerfCluster: 'another' } }, 3_600_000)
  expect(await made.provider.list(signal)).toEqual([])
})

it('creates the interfaces for pods of a class with secondary VNICs', async () => {
  const made = await harness({
    oracle: {
      networkConfig: {
        primaryVnicConfig: { subnetConfig: { subnetId: SUBNET } },
        secondaryVnicConfigs: [{ subnetConfig: { subnetId: SUBNET }, ipCount: 16 }],
      },
    },
  })
  await made.client.create(kinds.CustomResourceDefinition, nativePodNetworkDefinition)
  const { view } = await launch(made, 'a')
  const [network] = (await made.client.list(nativePodNetworkKind)).items
  expect(network?.spec).toMatchObject({ id: view.providerID, maxPodCount: 16 })
  expect(made.account.instances.living()[0]?.details.metadata).toMatchObject({ 'oke-max-pods': '16' })
})
