import { VirtualClock } from '@kerf/runtime'
import { beforeAll, describe, expect, test } from 'vitest'
import type { InstanceRequest } from '../../api/gcp-api.ts'
import { GcpApiError } from '../../api/gcp-api-error.ts'
import { instanceRequest, TEST_IMAGE } from '../instance-request.ts'
import { fakeApi, loadSdk } from './connect.ts'
import { FakeGcp } from './fake-gcp.ts'
import { NETWORK, POD_RANGE, SUBNETWORK } from './names.ts'

const never = new AbortController().signal
const ZONE = 'us-central1-a'
const ID = '11111111-2222-3333-4444-555555555555'

beforeAll(loadSdk)

const setUp = (durations: ConstructorParameters<typeof FakeGcp>[1] = {}) => {
  const clock = new VirtualClock()
  const gcp = new FakeGcp(clock, durations)
  gcp.offer.images.push(TEST_IMAGE)
  const { compute, gke } = fakeApi(gcp)
  const insert = (name: string, more: Parameters<typeof instanceRequest>[2] = {}, requestId = ID) =>
    compute.insertInstance(ZONE, instanceRequest(name, ZONE, more), requestId, never)
  const statusOf = async (name: string): Promise<string> => {
    try {
      return (await compute.instance(ZONE, name, never)).status
    } catch (error) {
      return error instanceof GcpApiError ? error.reason : String(error)
    }
  }
  return { clock, gcp, compute, gke, insert, statusOf }
}

const refusalOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call
    return 'accepted'
  } catch (error) {
    if (!(error instanceof GcpApiError)) throw error
    return `${error.status} ${error.reason}: ${error.message}`
  }
}

describe('instances change over time', () => {
  test('an insert runs, and a repeated request id does not create a second instance', async () => {
    const { clock, gcp, compute, insert, statusOf } = setUp()
    const operation = await insert('a')
    expect(operation).toMatchObject({ zone: ZONE, isDone: false, errors: [] })
    expect(await statusOf('a')).toBe('PROVISIONING')
    await clock.advance(11_000)
    expect(await statusOf('a')).toBe('STAGING')
    await clock.advance(10_000)
    expect(await statusOf('a')).toBe('RUNNING')
    expect(await compute.operation(ZONE, operation.name, never)).toMatchObject({ isDone: true, errors: [] })
    expect((await insert('a')).name).toBe(operation.name)
    expect(gcp.instances.all()).toHaveLength(1)
    expect(await refusalOf(insert('a', {}, ID.replace('1', '2')))).toContain('409 alreadyExists')
  })

  test('a deleted instance stops and disappears', async () => {
    const { clock, compute, insert, statusOf } = setUp()
    await insert('a')
    await clock.advance(20_000)
    await compute.deleteInstance(ZONE, 'a', never)
    expect(await statusOf('a')).toBe('STOPPING')
    await clock.advance(15_000)
    expect(await statusOf('a')).toBe('notFound')
    expect(await refusalOf(compute.deleteInstance(ZONE, 'a', never))).toContain('404 notFound')
  })

  test.each([
    ['DELETE', 'notFound'],
    ['STOP', 'TERMINATED'],
  ])('a preempted instance with the action %s ends as %s', async (instanceTerminationAction, status) => {
    const { clock, gcp, insert, statusOf } = setUp()
    const scheduling = { provisioningModel: 'SPOT', automaticRestart: false, onHostMaintenance: 'TERMINATE' }
    await insert('a', { scheduling: { ...scheduling, instanceTerminationAction } })
    gcp.instances.preempt(ZONE, 'a')
    expect(await statusOf('a')).toBe('STOPPING')
    await clock.advance(15_000)
    expect(await statusOf('a')).toBe(status)
  })

  test('a stock-out follows the acceptance: the instance exists for a moment, then the operation fails', async () => {
    const { clock, gcp, compute, insert, statusOf } = setUp()
    const code = 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS'
    gcp.instances.failures.push({ code, offerings: { instanceType: 'n2-standard-4', capacityType: 'on-demand' } })
    const { name } = await insert('a')
    expect(await statusOf('a')).toBe('PROVISIONING')
    await clock.advance(4_000)
    expect(await statusOf('a')).toBe('notFound')
    expect(await compute.operation(ZONE, name, never)).toMatchObject({ isDone: false })
    await clock.advance(4_000)
    expect(await compute.operation(ZONE, name, never)).toMatchObject({ isDone: true, errors: [{ code }] })
    const spot = { provisioningModel: 'SPOT', automaticRestart: false, onHostMaintenance: 'TERMINATE' }
    const other = await insert('b', { scheduling: spot }, ID.replace('1', '2'))
    await clock.advance(20_000)
    expect(await compute.operation(ZONE, other.name, never)).toMatchObject({ isDone: true, errors: [] })
  })

  test('lists lag behind, but the instance itself can be read', async () => {
    const { clock, compute, insert, statusOf } = setUp({ listLag: 5_000 })
    const filter = 'labels.karpenter-sh-nodepool:*'
    await insert('a')
    expect(await statusOf('a')).toBe('PROVISIONING')
    expect(await compute.instances(ZONE, filter, never)).toEqual([])
    expect(await compute.instancesNamed('a', never)).toEqual([])
    await clock.advance(5_000)
    expect(await compute.instances(ZONE, filter, never)).toHaveLength(1)
    expect(await compute.instancesNamed('a', never)).toMatchObject([{ name: 'a', zone: ZONE, type: 'n2-standard-4' }])
  })
})

describe('what Compute Engine refuses', () => {
  const params = { sourceImage: `projects/${TEST_IMAGE.project}/global/images/${TEST_IMAGE.name}` }
  const localSsd = { diskType: `zones/${ZONE}/diskTypes/local-ssd` }
  const boot = { boot: true, autoDelete: true, initializeParams: params }
  const network = { network: NETWORK, subnetwork: SUBNETWORK }
  const refused: readonly (readonly [string, Partial<InstanceRequest> & { readonly type?: string }, string])[] = [
    ['a type that the zone does not have', { type: 'n9-standard-4' }, '400 invalid'],
    ['no disks', { disks: [] }, 'No disks'],
    ['two boot disks', { disks: [boot, { ...boot, deviceName: 'b' }] }, 'At most one boot disk'],
    ['a boot disk that is not the first', { disks: [{ initializeParams: params }, boot] }, 'must be the first disk'],
    [
      'an image that does not exist',
      { disks: [{ boot: true, initializeParams: { sourceImage: 'projects/p/global/images/i' } }] },
      'image resource',
    ],
    [
      'a disk type that does not exist',
      { disks: [{ boot: true, initializeParams: { ...params, diskType: `zones/${ZONE}/diskTypes/pd-fast` } }] },
      'diskType',
    ],
    [
      'a persistent local SSD',
      { disks: [boot, { initializeParams: localSsd }] },
      'Cannot create local SSD as persistent disk',
    ],
    [
      'a local SSD with a size',
      { disks: [boot, { type: 'SCRATCH', initializeParams: { ...localSsd, diskSizeGb: '375' } }] },
      'fixed size',
    ],
    ['a label in capitals', { labels: { Team: 'a' } }, 'Label key'],
    ['a label value with a dot', { labels: { team: 'a.b' } }, 'Label value'],
    ['a network tag twice', { tags: { items: ['a', 'a'] } }, 'not unique'],
    [
      'a metadata key twice',
      {
        metadata: {
          items: [
            { key: 'a', value: '' },
            { key: 'a', value: '' },
          ],
        },
      },
      'duplicate key',
    ],
    ['no network interface', { networkInterfaces: [] }, 'At least one network interface'],
    [
      'an alias range without secondary range',
      { networkInterfaces: [{ ...network, aliasIpRanges: [{ ipCidrRange: '/24', subnetworkRangeName: '' }] }] },
      'no such secondary range',
    ],
    ['a termination action on demand', { scheduling: { instanceTerminationAction: 'DELETE' } }, 'Only for Spot VMs'],
    ['a spot instance that restarts', { scheduling: { provisioningModel: 'SPOT' } }, 'do not restart'],
    ['a GPU that migrates', { type: 'g2-standard-8' }, 'Must be TERMINATE'],
    ['a field that only the service sets', { status: 'RUNNING' }, 'output only'],
    ['a name in capitals', { name: 'A' }, 'Must be a match of regex'],
    ['a word that the enumeration does not have', { scheduling: { onHostMaintenance: 'SOMETIMES' } }, 'Must be one of'],
  ]
  test.each(refused)('%s', async (_, more, text) => {
    const { gcp, insert } = setUp()
    expect(await refusalOf(insert('a', more))).toContain(text)
    expect(gcp.instances.all()).toEqual([])
  })

  test('a valid local SSD and a valid secondary range', async () => {
    const { insert } = setUp()
    const aliasIpRanges = [{ ipCidrRange: '/24', subnetworkRangeName: POD_RANGE }]
    const disks = [boot, { type: 'SCRATCH', interface: 'NVME', autoDelete: true, initializeParams: localSsd }]
    expect(await refusalOf(insert('a', { disks, networkInterfaces: [{ ...network, aliasIpRanges }] }))).toBe('accepted')
  })

  test('a field that the API does not have', async () => {
    const { insert } = setUp()
    const unknown: object = { machinetype: 'n2-standard-4' }
    expect(await refusalOf(insert('a', unknown))).toContain('Unknown name "machinetype"')
  })

  test('a request id that is not a UUID', async () => {
    expect(await refusalOf(setUp().insert('a', {}, 'mine'))).toContain('Must be a UUID')
  })
})

describe('callers', () => {
  test('a wrong token, a disabled API, a missing permission, and a project that does not exist', async () => {
    const { gcp, compute, gke } = setUp()
    gcp.forbidden.add('compute.regions.get')
    expect(await refusalOf(compute.zones('us-central1', never))).toContain('403 forbidden')
    gcp.disabled.add('container')
    expect(await refusalOf(gke.cluster(never))).toContain('403 accessNotConfigured')
    const other = fakeApi(gcp, { project: 'other' })
    expect(await refusalOf(other.compute.defaultServiceAccount(never))).toContain('404 notFound')
    gcp.tokens.clear()
    gcp.tokens.add('new')
    const old = fakeApi(gcp, {
      send: (request, signal) => gcp.send({ ...request, headers: { authorization: 'Bearer old' } }, signal),
    })
    expect(await refusalOf(old.compute.defaultServiceAccount(never))).toContain('401 authError')
  })

  test('a different location has no such cluster', async () => {
    const { gcp } = setUp()
    expect(await refusalOf(fakeApi(gcp, { location: 'us-east1' }).gke.cluster(never))).toContain('404')
  })

  test('throttling is an error that the client retries', async () => {
    const { clock, gcp } = setUp()
    gcp.faults.next('compute.projects.get', { code: 'rateLimitExceeded', status: 403 })
    const retries = { attempts: 2, base: 1_000, max: 1_000, jitter: 0, longestWait: 1_000 }
    const account = fakeApi(gcp, { retries }).compute.defaultServiceAccount(never)
    await clock.advance(1_000)
    expect(await account).toBe('1234-compute@developer.gserviceaccount.com')
    expect(gcp.count('compute.projects.get')).toBe(2)
  })

  test('a lost connection has no status', async () => {
    const { gcp, compute } = setUp()
    gcp.faults.next('compute.projects.get', { code: 'network' })
    expect(await refusalOf(compute.defaultServiceAccount(never))).toContain('undefined NoResponse')
  })
})

test('every list is read completely', async () => {
  const { gcp, compute } = setUp()
  gcp.pageSize = 3
  const types = await compute.zonalTypes('us-central1', never)
  expect(types).toHaveLength(gcp.offer.listedTypes().length)
  expect(gcp.count('compute.machineTypes.aggregatedList')).toBe(Math.ceil(types.length / 3))
  expect(types.find(({ facts }) => facts.name === 'g2-standard-8')).toMatchObject({
    facts: { vcpus: 8, memoryMiB: 32_768, arch: 'amd64', accelerators: [{ type: 'nvidia-l4', count: 1 }] },
  })
  expect(types.find(({ facts }) => facts.name === 'c3-standard-8-lssd')).toMatchObject({ facts: { localSsdGiB: 750 } })
  expect(types.find(({ facts }) => facts.name === 'c4a-standard-4')).toMatchObject({ facts: { arch: 'arm64' } })
})

test('images, disks, templates, zones and the cluster are read', async () => {
  const { gcp, compute, gke, insert } = setUp()
  const path = `projects/${TEST_IMAGE.project}/global/images/${TEST_IMAGE.name}`
  gcp.offer.images.push({ ...TEST_IMAGE, name: 'gke-1341-cos', deprecated: 'OBSOLETE' })
  expect(await compute.images(TEST_IMAGE.project, 'name = gke-1351-*', never)).toMatchObject([
    { path, name: TEST_IMAGE.name, arch: 'amd64', isDeprecated: false },
  ])
  expect(await compute.image(TEST_IMAGE.project, 'gke-1341-cos', never)).toMatchObject({ isDeprecated: true })
  await insert('a')
  expect(await compute.diskImage(ZONE, 'a', never)).toBe(path)
  const items = [{ key: 'cluster-name', value: 'demo' }]
  gcp.templates = [
    {
      name: 'gke-demo-default-pool',
      creationTimestamp: '2026-01-01T00:00:00Z',
      properties: { labels: { a: 'b' }, metadata: { items } },
    },
  ]
  expect(await compute.instanceTemplates('us-central1', never)).toEqual([
    {
      name: 'gke-demo-default-pool',
      createdAt: '2026-01-01T00:00:00Z',
      labels: { a: 'b' },
      metadata: { 'cluster-name': 'demo' },
    },
  ])
  expect(await compute.zones('us-central1', never)).toEqual(gcp.offer.zones)
  expect(await gke.cluster(never)).toMatchObject({
    zones: gcp.gke.locations,
    network: NETWORK,
    subnetwork: SUBNETWORK,
    podRange: POD_RANGE,
    arePrivateNodes: false,
    releaseChannel: 'regular',
    version: '1.35.1-gke.1396002',
  })
  expect(await gke.nodePools(never)).toMatchObject([{ name: 'default-pool', status: 'RUNNING' }, { name: 'other' }])
  expect((await gke.releaseChannels(never)).map(({ name }) => name)).toEqual(['rapid', 'regular', 'stable'])
})
