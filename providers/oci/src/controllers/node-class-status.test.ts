import { labels } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { communityLabels, hashAnnotations } from '../names.ts'
import { communityHash } from '../node-class/community-hash.ts'
import { oracleHash } from '../node-class/oracle-hash.ts'
import { ARM_IMAGE, AVAILABILITY_DOMAINS, GPU_IMAGE, IMAGE, SECURITY_GROUP, SUBNET } from '../testing/fake-oci/names.ts'
import { communityCluster, oracleCluster } from '../testing/node-class-cluster.ts'

const X86 = 'Oracle-Linux-8.10-2026.01.29-0-OKE-1.34.1-1330'

describe('OciNodeClass', () => {
  test('the status has the selected resources, and the class is ready and has its hash', async () => {
    const cluster = await communityCluster()
    await cluster.start()
    const { status, metadata } = await cluster.read()
    expect(status?.images?.map(({ id, name }) => [id, name])).toEqual([[IMAGE, X86]])
    expect(status?.subnets).toEqual([{ id: SUBNET, name: 'nodes' }])
    expect(status?.securityGroups).toEqual([{ id: SECURITY_GROUP, name: 'nodes' }])
    expect(await cluster.condition('Ready')).toMatch(/^True /)
    expect(metadata.annotations?.[hashAnnotations.community.hash]).toBe(communityHash.of(await cluster.read()))
    expect(metadata.finalizers).toEqual(['karpenter.sh/termination'])
  })

  test('GPU images come first, and each image has requirements for its processor and GPUs', async () => {
    const cluster = await communityCluster({ imageSelector: [IMAGE, ARM_IMAGE, GPU_IMAGE].map((id) => ({ id })) })
    await cluster.start()
    const { status } = await cluster.read()
    const needs = status?.images?.map(({ id, requirements = [] }) => [
      id,
      ...requirements.map(({ key, values = [] }) => (key === labels.arch ? values.join() : key)),
    ])
    expect(needs?.[0]).toEqual([GPU_IMAGE, 'amd64', communityLabels.gpu])
    expect(needs?.slice(1).toSorted()).toEqual([
      [ARM_IMAGE, 'arm64'],
      [IMAGE, 'amd64'],
    ])
  })

  test('an image of another family has no requirements', async () => {
    const cluster = await communityCluster({ imageFamily: 'Custom', userData: '' })
    await cluster.start()
    expect((await cluster.read()).status?.images?.[0]?.requirements ?? []).toEqual([])
  })

  test('a term without a match is reported, and the class is ready as long as another term has a match', async () => {
    const cluster = await communityCluster({ imageSelector: [{ id: IMAGE }, { name: 'missing' }] })
    await cluster.start()
    expect(await cluster.condition('ImageReady')).toMatch(/^True .*"missing"/)
    await cluster.edit({ imageSelector: [{ name: 'missing' }, { id: 'ocid1.image.oc1.phx.none' }] })
    expect(await cluster.condition('ImageReady')).toMatch(
      /^False ImagesNotFound: .*"missing".*ocid1\.image\.oc1\.phx\.none/,
    )
    expect(await cluster.condition('Ready')).toMatch(/^False /)
    await cluster.edit({ subnetSelector: [{ name: 'other' }], securityGroupSelector: [{ name: 'other' }] })
    expect(await cluster.condition('SubnetsReady')).toMatch(/^False SubnetsNotFound: .*"other"/)
    expect(await cluster.condition('SecurityGroupsReady')).toMatch(/^False SecurityGroupsNotFound: .*"other"/)
  })

  test('a class becomes ready without an edit once the selected resources exist', async () => {
    const cluster = await communityCluster({ subnetSelector: [{ name: 'later' }] })
    await cluster.start()
    expect(await cluster.condition('Ready')).toMatch(/^False /)
    cluster.account.subnets = [
      ...cluster.account.subnets,
      { id: 'ocid1.subnet.oc1.phx.later', name: 'later', cidr: '10.1.0.0/24', free: 9 },
    ]
    await cluster.clock.advance(90_000)
    expect(await cluster.condition('Ready')).toMatch(/^True /)
  })

  test.each<readonly [string, Parameters<typeof communityCluster>[0], RegExp]>([
    [
      'the boot volume',
      { bootConfig: { bootVolumeSizeInGBs: -1, bootVolumeVpusPerGB: 5 } },
      /from 50 to 32768.*multiple of 10/,
    ],
    ['an empty network', { vcnId: '' }, /spec\.vcnId is empty/],
    ['Ubuntu without a script', { imageFamily: 'Ubuntu2204' }, /Ubuntu2204 needs a script/],
    ['the tags of Kerf', { definedTags: { 'oke-karpenter-ns': { a: 'b' } } }, /only the controller sets tags/],
    [
      'too many tags',
      { definedTags: { ns: Object.fromEntries(Array.from({ length: 61 }, (_, i) => [`k${i}`, ''])) } },
      /61 tags are too many/,
    ],
    ['an empty threshold', { kubelet: { evictionHard: { 'memory.available': '' } } }, /"" must be a quantity/],
    [
      'a grace period that is no duration',
      {
        kubelet: {
          evictionSoft: { 'memory.available': '5%' },
          evictionSoftGracePeriod: { 'memory.available': 'soon' },
        },
      },
      /"soon" must be a duration/,
    ],
  ])('%s: the condition says what is wrong', async (_, spec, message) => {
    const cluster = await communityCluster(spec)
    await cluster.start()
    expect(await cluster.condition('ValidationSucceeded')).toMatch(message)
    expect(await cluster.condition('Ready')).toMatch(/^False /)
  })

  test('refused credentials are reported, and a class that was ready stays ready', async () => {
    const cluster = await communityCluster()
    cluster.cloud.fail('GetImage', { refusal: { status: 401, code: 'NotAuthenticated', message: 'expired' } })
    await cluster.start()
    expect(await cluster.condition('ImageReady')).toMatch(/^Unknown CredentialsRefused: .*expired/)
    expect(await cluster.condition('SubnetsReady')).toMatch(/^True /)
  })
})

describe('OCINodeClass', () => {
  test('the status has the selected resources, and the class is ready and has its hash', async () => {
    const cluster = await oracleCluster()
    await cluster.start()
    const { status, metadata } = await cluster.read()
    expect(status?.volume).toEqual({ images: [{ imageId: IMAGE, displayName: X86 }] })
    expect(status?.network).toEqual({
      primaryVnic: { subnet: { subnetId: SUBNET, displayName: 'nodes' }, networkSecurityGroups: [] },
    })
    expect(await cluster.condition('Ready')).toMatch(/^True /)
    expect(metadata.annotations?.[hashAnnotations.oracle.hash]).toBe(oracleHash.of(await cluster.read()))
    expect(metadata.finalizers).toEqual(['karpenter.sh/termination'])
  })

  test('a filter selects the images whose kubelet is compatible with the API server, newest kubelet first', async () => {
    const image = (id: string, createdAt: string, version?: string) => ({
      ...{ id: `ocid1.image.oc1.phx.${id}`, name: id, os: 'Oracle Linux', version: '9', createdAt, shapes: /./ },
      ...(version === undefined ? {} : { freeformTags: { k8s_version: version } }),
    })
    const imageFilter = { osFilter: 'Oracle Linux', osVersionFilter: '9' }
    const cluster = await oracleCluster({
      volumeConfig: { bootVolumeConfig: { imageConfig: { imageType: 'OKEImage', imageFilter } } },
    })
    const { minor } = await serverVersion(cluster)
    cluster.account.images = [
      image('newer-kubelet', '2026-03-01T00:00:00Z', `v1.${minor + 1}.0`),
      image('old', '2026-02-01T00:00:00Z', `v1.${minor - 1}.0`),
      image('older-same', '2026-01-01T00:00:00Z', `v1.${minor}.0`),
      image('newer-same', '2026-01-02T00:00:00Z', `v1.${minor}.2`),
      image('ancient', '2026-03-01T00:00:00Z', `v1.${minor - 4}.0`),
      image('no-version', '2026-03-01T00:00:00Z'),
    ]
    await cluster.start()
    expect((await cluster.read()).status?.volume?.images?.map(({ displayName }) => displayName)).toEqual([
      ...['newer-same', 'older-same', 'old'],
    ])
    cluster.account.images = []
    await cluster.edit({ volumeConfig: { bootVolumeConfig: { sizeInGBs: 60 } } })
    expect(await cluster.condition('Image')).toMatch(/^False ImageResolveFailure: there is no image of Oracle Linux 9/)
  })

  test('missing or ambiguous subnets and groups are reported with their interface', async () => {
    const missing = { subnetConfig: { subnetFilter: { displayName: 'missing' } } }
    const groups = [{ networkSecurityGroupId: 'ocid1.networksecuritygroup.oc1.phx.none' }]
    const cluster = await oracleCluster({
      networkConfig: {
        primaryVnicConfig: { ...missing, networkSecurityGroupConfigs: groups },
        secondaryVnicConfigs: [missing],
      },
    })
    await cluster.start()
    const network = await cluster.condition('Network')
    expect(network).toMatch(
      /^False NetworkResolveFailure: primaryVnicConfig: there is no subnet that matches "missing"/,
    )
    expect(network).toMatch(/phx\.none.*secondaryVnicConfigs\[0\]: there is no subnet/)
    const again = { id: 'ocid1.subnet.oc1.phx.again', name: 'nodes', cidr: '10.1.0.0/24', free: 9 }
    cluster.account.subnets = [...cluster.account.subnets, again]
    await cluster.edit({
      networkConfig: {
        primaryVnicConfig: {
          subnetConfig: { subnetFilter: { displayName: 'nodes' } },
          networkSecurityGroupConfigs: null,
        },
        secondaryVnicConfigs: null,
      },
    })
    expect(await cluster.condition('Network')).toMatch(/2 objects of the kind subnet match "nodes"/)
  })

  test('a subnet of one availability domain is refused', async () => {
    const cluster = await oracleCluster()
    const [subnet] = cluster.account.subnets
    if (subnet === undefined) throw new Error('no subnet')
    cluster.account.subnets = [{ ...subnet, availabilityDomain: AVAILABILITY_DOMAINS[0] }]
    await cluster.start()
    expect(await cluster.condition('Network')).toMatch(/use a regional subnet/)
  })

  test('reservations and compute clusters are found by ID and by name', async () => {
    const place = { id: 'ocid1.x.oc1.phx.a', name: 'a', availabilityDomain: AVAILABILITY_DOMAINS[1] }
    const cluster = await oracleCluster({
      capacityReservationConfigs: [{ capacityReservationFilter: { displayName: 'a' } }],
    })
    cluster.account.reservations = [{ ...place, shape: 'VM.Standard2.1', count: 2 }]
    await cluster.start()
    expect((await cluster.read()).status?.capacityReservations).toEqual([
      { capacityReservationId: place.id, displayName: 'a', availabilityDomain: place.availabilityDomain },
    ])
    await cluster.edit({ capacityReservationConfigs: [{ capacityReservationId: 'ocid1.capacityreservation.none' }] })
    expect(await cluster.condition('CapacityReservation')).toMatch(/^False CapacityReservationResolveFailure: .*none/)
    const other = await oracleCluster({ computeClusterConfig: { computeClusterId: place.id } })
    other.account.computeClusters = [place]
    await other.start()
    expect((await other.read()).status?.computeCluster).toEqual({
      ComputeClusterId: place.id,
      displayName: 'a',
      availabilityDomain: place.availabilityDomain,
    })
  })

  test('keys and placement groups are selected by OCID, and a filter is refused', async () => {
    const key = {
      bootVolumeConfig: {
        kmsKeyConfig: { kmsKeyId: 'ocid1.key.a' },
        imageConfig: { imageType: 'OKEImage', imageId: IMAGE },
      },
    }
    const cluster = await oracleCluster({
      volumeConfig: key,
      clusterPlacementGroupConfigs: [{ clusterPlacementGroupId: 'ocid1.group.a' }],
    })
    await cluster.start()
    const { status } = await cluster.read()
    expect(status?.volume?.kmsKey).toEqual([{ kmsKeyId: 'ocid1.key.a' }])
    expect(status?.clusterPlacementGroups).toEqual([{ clusterPlacementGroupId: 'ocid1.group.a' }])
    await cluster.edit({ clusterPlacementGroupConfigs: [{ clusterPlacementGroupFilter: { displayName: 'a' } }] })
    expect(await cluster.condition('ClusterPlacementGroup')).toMatch(/write clusterPlacementGroupId/)
  })

  test.each<readonly [string, Parameters<typeof oracleCluster>[0], RegExp]>([
    [
      'another type of image',
      { volumeConfig: { bootVolumeConfig: { imageConfig: { imageType: 'Custom', imageId: IMAGE } } } },
      /only OKEImage can be launched/,
    ],
    [
      'a script that is not base64',
      { preBootstrapInitScript: 'echo hello' },
      /preBootstrapInitScript: it must be base64/,
    ],
    [
      'a tag with a dot',
      { freeformTags: { 'a.b': 'c' } },
      /freeformTags: the key "a\.b" must have 1 to 100 characters, without dots/,
    ],
    [
      'more free-form tags than Kerf leaves',
      { freeformTags: Object.fromEntries('abcdef'.split('').map((key) => [key, 'x'.repeat(key === 'a' ? 257 : 1)])) },
      /6 tags are too many; at most 5 are possible; spec.freeformTags\["a"\]: a value has at most 256/,
    ],
    ['a quantity', { kubeletConfig: { kubeReserved: { cpu: 'abc' } } }, /"abc" must be a quantity/],
    [
      'a soft threshold without a grace period',
      { kubeletConfig: { evictionSoft: { 'memory.available': '5%' } } },
      /needs an entry in evictionSoftGracePeriod/,
    ],
    [
      'percentages in the wrong order',
      { kubeletConfig: { imageGCHighThresholdPercent: 1, imageGCLowThresholdPercent: 2 } },
      /must be greater/,
    ],
  ])('%s: the condition says what is wrong', async (_, spec, message) => {
    const cluster = await oracleCluster(spec)
    await cluster.start()
    expect(await cluster.condition('ValidationSucceeded')).toMatch(message)
  })

  test('pod addresses are powers of two, and at most 256 in total', async () => {
    const vnic = (ipCount: number) => ({ subnetConfig: { subnetId: SUBNET }, ipCount })
    const cluster = await oracleCluster({
      networkConfig: {
        primaryVnicConfig: { subnetConfig: { subnetId: SUBNET } },
        secondaryVnicConfigs: [vnic(48), vnic(256)],
      },
    })
    await cluster.start()
    expect(await cluster.condition('ValidationSucceeded')).toMatch(/48 must be a power of two.*304, more than 256/)
  })
})

const serverVersion = async ({ client }: Pick<Awaited<ReturnType<typeof oracleCluster>>, 'client'>) => {
  const version = await client.raw('/version')
  const minor = Number.parseInt(String((version as { readonly minor: string }).minor), 10)
  return { minor }
}
