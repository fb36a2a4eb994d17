import type { Device, DeviceRequest, ResourceClaim } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { type, zone1, zone2 } from './catalogue.ts'
import {
  bound,
  claim,
  claiming,
  claimTemplate,
  counterSet,
  DRIVER,
  device,
  deviceClass,
  devices,
  deviceType,
  firstOf,
  GPU,
  onNode,
  request,
  slice,
  zoneSelector,
} from './devices.ts'
import { key } from './keys.ts'
import { daemon, is, persistentVolume, pod, running, volume, volumeClaim } from './objects.ts'
import { type World, world } from './world.ts'

const plain = type('plain', { price: 0.1 })
const two = deviceType('two', devices(2), { price: 1 })
const eight = deviceType('eight', devices(8), { price: 3 })

/** A pool of these types, and claims to their devices. */
const cluster = (types: readonly InstanceType[], ...resourceClaims: readonly ResourceClaim[]): World =>
  world()
    .only({ types })
    .devices({ deviceClasses: [GPU], resourceClaims })

const typesOf = (of: World, name = 'a'): readonly string[] | string => {
  const plan = of.plan()
  return plan.left.includes(name) ? plan.whyNot(name) : [...plan.claimOf(name).instanceTypes].sort()
}

/** One pod with one claim that asks for this, on machines with these devices: whether it gets a place. */
const isServed = (listed: readonly Device[], ...requests: readonly DeviceRequest[]): boolean =>
  cluster([deviceType('m', listed)], claim('a', requests))
    .pod('a', claiming('a'))
    .plan().left.length === 0

describe('7.15 pods and devices', () => {
  test('7.15: a pod with a claim gets a machine with the device, which says whose devices it waits for', () => {
    const plan = cluster([plain, two, eight], claim('a')).pod('a', claiming('a')).pod('b').plan()
    expect(plan.claimOf('a').instanceTypes).toEqual(['two', 'eight'])
    expect(plan.claimOf('a').annotations['karpenter.sh/requested-dra-drivers']).toBe(DRIVER)
  })

  test('7.15: pods without claims stay as they are beside pods with them', () => {
    const plan = cluster([plain, two], claim('a'), claim('missing-class', [request('r', { class: 'none' })]))
      .pods(5, {}, 'plain')
      .pod('a', claiming('a'))
      .pod('b', claiming('missing-class'))
      .plan()
    expect(plan.left).toEqual(['b'])
    expect(plan.claims.flatMap(({ annotations }) => annotations['karpenter.sh/requested-dra-drivers'] ?? [])).toEqual([
      DRIVER,
    ])
  })

  test('7.15: the claim made from a template is found by the name in the pod’s status', () => {
    const templated = (status?: string | null) => ({
      spec: { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }] },
      status: {
        ...pod('x').status,
        ...(status === undefined
          ? {}
          : {
              resourceClaimStatuses: [{ name: 'gpu', ...(status === null ? {} : { resourceClaimName: status }) }],
            }),
      },
    })
    const of = cluster([plain, two], claim('a-gpu-x1'))
    expect(typesOf(of.pod('a', templated('a-gpu-x1')))).toEqual(['two'])
    // No claim is needed, says the status.
    expect(typesOf(of.pod('a', templated(null)))).toEqual(['plain', 'two'])
    // Nobody knows yet.
    expect(typesOf(of.pod('a', templated()))).toEqual(['plain', 'two'])
    expect(typesOf(of.pod('a', templated('a-gpu-gone')))).toContain('ResourceClaim default/a-gpu-gone does not exist')
  })

  test('7.15: where the template is known, a claim that is still to be made asks for what it says', () => {
    const of = cluster([plain, two]).devices({ resourceClaimTemplates: [claimTemplate('one-gpu', request('gpu'))] })
    const wants = { spec: { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }] } }
    const plan = of.pods(5, wants).plan()
    expect([plan.sizes, plan.left, plan.typeOf('pod-0')]).toEqual([[2, 2, 1], [], 'two'])
  })

  test('7.15: several pods share a machine as long as it has a device for each, then there is a second one', () => {
    const of = cluster([two], claim('a'), claim('b'), claim('c'))
    expect(of.pod('a', claiming('a')).pod('b', claiming('b')).pod('c', claiming('c')).plan().groups).toEqual([
      ['a', 'b'],
      ['c'],
    ])
  })

  test('7.15: pods of one claim share its devices on one machine; who does not fit there any more waits', () => {
    const shared = { ...claiming('a'), cpu: '1' }
    const of = cluster([deviceType('m', devices(1), { cpu: '4' })], claim('a'))
    expect(of.pods(3, shared).plan().groups).toEqual([['pod-0', 'pod-1', 'pod-2']])
    const crowded = of.pods(4, shared).plan()
    expect([crowded.sizes, crowded.left.length]).toEqual([[3], 1])
  })

  test('7.15: several drivers, all named, sorted', () => {
    const both: InstanceType = {
      ...two,
      name: 'both',
      requirements: deviceType('both', []).requirements,
      dynamicResources: {
        resourceSliceTemplates: [
          { driver: 'nic.example.com', pool: { name: 'nics' }, devices: devices(1, {}, 'nic') },
          { driver: DRIVER, pool: { name: 'gpus' }, devices: devices(1) },
        ],
      },
    }
    const nic = deviceClass('nic', 'device.driver == "nic.example.com"')
    const plan = cluster([two, both], claim('a', [request('n', { class: 'nic' }), request('g')]))
      .devices({ deviceClasses: [nic] })
      .pod('a', claiming('a'))
      .plan()
    expect(plan.claim.instanceTypes).toEqual(['both'])
    expect(plan.claim.annotations['karpenter.sh/requested-dra-drivers']).toBe(`${DRIVER},nic.example.com`)
  })

  test('7.15: only the drivers that whatever the machine becomes has are waited for', () => {
    const amd = deviceType('amd', devices(1), { driver: 'amd.example.com' })
    const any = deviceClass('any')
    const plan = cluster([deviceType('m', devices(1)), amd], claim('a', [request('r', { class: 'any' })]))
      .devices({ deviceClasses: [any] })
      .pod('a', claiming('a'))
      .plan()
    expect([...plan.claim.instanceTypes].sort()).toEqual(['amd', 'm'])
    expect(plan.claim.annotations['karpenter.sh/requested-dra-drivers']).toBeUndefined()
  })

  test('7.15: nothing is allocated twice from one decision to the next', () => {
    const of = cluster([two], claim('a'), claim('b'), claim('c')).pod('a', claiming('a')).pod('b', claiming('b'))
    const plan = of.plan()
    expect(plan.groups).toEqual([['a', 'b']])
    const [launched] = plan.claims
    if (launched === undefined) throw new Error('no claim')
    // The claim is on its way: all three wait on, and its two devices serve two of them.
    const later = of
      .node('m-0', {
        pool: 'default',
        instanceType: 'two',
        state: { initialized: false, hasNode: false, nodeClaim: 'm-0', name: 'm-0' },
      })
      .pod('c', claiming('c'))
      .plan()
    expect([later.podsOn('m-0').length, later.sizes]).toEqual([2, [1]])
  })

  test('7.15: a claim that is allocated keeps its devices, and its pod goes where they can be used', () => {
    const held = claim('a', [request('gpu')], { holds: [`${DRIVER}/n/gpu-0`], at: onNode('n') })
    const of = cluster([two], held, claim('b'))
      .node('m')
      .node('n')
      .devices({ resourceSlices: [slice(devices(1), { node: 'n' }), slice(devices(1), { node: 'm' })] })
    expect(of.pod('a', claiming('a')).plan().placeOf('a')).toBe('n')
    expect(of.pod('b', claiming('b')).plan().placeOf('b')).toBe('m')
    const gone = cluster([two], held).pod('a', claiming('a')).plan()
    expect(gone.whyNot('a')).toContain(
      'devices for ResourceClaim default/a are not to be had: those it is allocated to are elsewhere',
    )
  })

  test('7.15: a claim that is missing holds up its pod until it is there, and nobody else', () => {
    const of = cluster([two], claim('b')).pod('a', claiming('a')).pod('b', claiming('b'))
    const plan = of.plan()
    expect([plan.left, plan.whyNot('a')]).toEqual([
      ['a'],
      'the pod cannot be planned: its ResourceClaim default/a does not exist',
    ])
    expect(of.devices({ resourceClaims: [claim('a')] }).plan().left).toEqual([])
  })

  test('7.15: no machine with the device, no class of the name', () => {
    expect(typesOf(cluster([plain], claim('a')).pod('a', claiming('a')))).toBe(
      'nodepool/default: devices for gpu of ResourceClaim default/a are not to be had: 1 device of class gpu wanted, none matches',
    )
    expect(typesOf(cluster([two], claim('a', [request('r', { class: 'none' })])).pod('a', claiming('a')))).toBe(
      'the pod cannot be planned: its ResourceClaim default/a: request r: DeviceClass none does not exist',
    )
  })

  test('7.15: claims with devices in zones: one holds the machine to its zone, two that contradict refuse the pod', () => {
    const inZone = (name: string, zone: string) =>
      claim(name, [request('gpu')], { holds: [`${DRIVER}/${name}/gpu-0`], at: zoneSelector([zone]) })
    const of = cluster([plain], inZone('a', zone2), inZone('b', zone1), claim('c'), claim('d')).devices({
      resourceSlices: [slice(devices(2), { pool: 'west', zones: [[zone2]] })],
    })
    expect(of.pod('a', claiming('a')).plan().zoneOf('a')).toBe(zone2)
    expect(of.pod('a', claiming('a', 'b')).plan().left).toEqual(['a'])
    expect(of.pod('c', claiming('c')).plan().zoneOf('c')).toBe(zone2)
    expect(of.pod('c', claiming('c', 'd')).plan().zoneOf('c')).toBe(zone2)
    expect(of.pod('c', { ...claiming('c'), selector: { [key.zone]: zone1 } }).plan().left).toEqual(['c'])
  })

  test('7.15: devices of nodes that run are used, and before anything is launched', () => {
    const of = cluster([two], claim('a'), claim('b')).node('m').node('n')
    const plan = of
      .devices({ resourceSlices: [slice(devices(1), { node: 'n' })] })
      .pod('a', claiming('a'))
      .pod('b', claiming('b'))
      .plan()
    expect([plan.podsOn('n').length, plan.sizes]).toEqual([1, [1]])
  })

  test('7.15: who shares a claim goes where its devices are, also those of a node', () => {
    const of = cluster([two], claim('a')).node('n', { cpu: '3' })
    const plan = of
      .devices({ resourceSlices: [slice(devices(1), { node: 'n' })] })
      .pods(3, { ...claiming('a'), cpu: '1' })
      .plan()
    expect(plan.podsOn('n').length).toBe(3)
  })

  test('7.15: slices of nodes that nobody knows or that are not initialised do not count', () => {
    const of = cluster([plain], claim('a')).node('n')
    const owned = (owner: string) => slice(devices(1), { owner, zones: [[zone1]], pool: owner })
    expect(
      of
        .devices({ resourceSlices: [owned('n')] })
        .pod('a', claiming('a'))
        .plan().left,
    ).toEqual([])
    expect(
      of
        .devices({ resourceSlices: [owned('gone')] })
        .pod('a', claiming('a'))
        .plan().left,
    ).toEqual(['a'])
    const young = cluster([plain], claim('a')).node('n', { state: { initialized: false } })
    expect(
      young
        .devices({ resourceSlices: [owned('n')] })
        .pod('a', claiming('a'))
        .plan().left,
    ).toEqual(['a'])
  })

  test('7.15: until a node is initialised its type’s promise counts, and nothing is counted twice on the way', () => {
    const young = (...held: readonly ResourceClaim[]) =>
      cluster([two], claim('a'), claim('b'), claim('c'), ...held)
        .node('n', { pool: 'default', instanceType: 'two', state: { initialized: false } })
        .devices({ resourceSlices: [slice(devices(2), { node: 'n' })] })
        .pod('a', claiming('a'))
        .pod('b', claiming('b'))
        .pod('c', claiming('c'))
        .plan()
    expect([young().podsOn('n').length, young().sizes]).toEqual([2, [1]])
    const held = claim('x', [request('gpu')], { holds: [`${DRIVER}/n/gpu-0`], at: onNode('n'), for: ['x'] })
    expect([young(held).podsOn('n').length, young(held).sizes]).toEqual([1, [2]])
  })

  test('7.15: a claim whose pods all leave is allocated anew; one live pod holds it', () => {
    const holds = (...names: readonly string[]) =>
      claim('a', [request('gpu')], { holds: [`${DRIVER}/old/gpu-0`], at: onNode('old'), for: names })
    const moving = running(pod('a', claiming('a')), 'old')
    const living = pod('b', claiming('a'))
    const of = (held: ResourceClaim) =>
      cluster([two], held)
        .node('old', { pods: [moving], state: { markedForDeletion: true } })
        .node('other', { pods: [living] })
        .devices({ resourceSlices: [slice(devices(1), { node: 'old' })] })
        .waiting(moving)
        .plan()
    expect(of(holds('a')).typeOf('a')).toBe('two')
    expect(of(holds('a', 'b')).left).toEqual(['a'])
  })

  test('7.15: requests that are ignored refuse their pods, and only those', () => {
    const plan = cluster([two], claim('a')).pod('a', claiming('a')).pod('b').plan({ ignoreDraRequests: true })
    expect([plan.left, plan.whyNot('a')]).toEqual([
      ['a'],
      'the pod cannot be planned: it claims devices (dynamic resource allocation), which are ignored',
    ])
  })

  test('7.15: daemons with claims take their room once claims are not ignored', () => {
    const big = daemon('d', { cpu: '3', ...claiming('a') })
    const of = cluster([type('m', { cpu: '4' })], claim('a'))
      .daemons(big)
      .pod('p', { cpu: '2' })
    expect(of.plan().left).toEqual(['p'])
    expect(of.plan({ ignoreDraRequests: true }).left).toEqual([])
  })

  test('7.15: machines that pods outgrow lose their hold on devices', () => {
    // Both types may use the one device of the network; the small one is out once the second pod joins.
    const small = type('small', { cpu: '2', price: 0.1 })
    const large = type('large', { cpu: '8', price: 1 })
    const network = slice(devices(1), { zones: [[zone1]] })
    const of = cluster([small, large], claim('a'), claim('b')).devices({ resourceSlices: [network] })
    const plan = of
      .pod('a', { ...claiming('a'), cpu: '1' })
      .pod('p', { cpu: '1' })
      .pod('b', { ...claiming('b'), cpu: '1' })
      .plan()
    expect(plan.left).toEqual(['b'])
    expect(plan.claimOf('a').instanceTypes).toEqual(['large'])
  })
})

describe('edge cases with devices', () => {
  test('edge 136: who shares a claim follows it to its machine; if that is full it waits', () => {
    const of = cluster([deviceType('m', devices(1), { cpu: '4' })], claim('a')).pods(2, { ...claiming('a'), cpu: '2' })
    const plan = of.plan()
    expect([plan.sizes, plan.left]).toEqual([[1], ['pod-1']])
    expect(plan.whyNot('pod-1')).toContain(
      'devices for ResourceClaim default/a are not to be had: they are on another node',
    )
  })

  test('edge 137: a claim of a living and an ending pod stays, and tells new users where to go', () => {
    const held = claim('a', [request('gpu')], {
      holds: [`${DRIVER}/network/gpu-0`],
      at: zoneSelector([zone2]),
      for: ['ending', 'living'],
    })
    const ending = running(pod('ending', { ...claiming('a'), deleted: true }), 'n')
    const plan = cluster([plain], held)
      .node('n', { pods: [ending, running(pod('living', claiming('a')), 'n')], cpu: '0' })
      .pod('a', claiming('a'))
      .plan()
    expect(plan.zoneOf('a')).toBe(zone2)
  })

  test('edge 155 on a node that runs: devices are asked for whatever alternative the volume takes', () => {
    const plan = cluster([plain], claim('a'))
      .storage({
        persistentVolumes: [persistentVolume('pv', [[is(key.zone, 'In', zone1)], [is(key.zone, 'In', zone2)]])],
        persistentVolumeClaims: [volumeClaim('data', { volume: 'pv' })],
      })
      .node('n', { zone: zone2 })
      .devices({ resourceSlices: [slice(devices(1), { node: 'n' })] })
      .pod('a', { ...claiming('a'), volumes: [volume('data')] })
      .plan()
    expect(plan.placeOf('a')).toBe('n')
  })
})

describe('7.14 which devices allocated claims hold', () => {
  const network = slice(devices(3), { zones: [[zone1]] })
  const free = (...held: readonly ResourceClaim[]): number =>
    3 -
    cluster([plain], claim('a'), claim('b'), claim('c'), ...held)
      .devices({ resourceSlices: [network] })
      .pod('a', claiming('a'))
      .pod('b', claiming('b'))
      .pod('c', claiming('c'))
      .plan().left.length
  const holding = (name: string, ...held: readonly number[]) =>
    claim(name, [request('gpu')], { holds: held.map((index) => `${DRIVER}/network/gpu-${index}`), for: ['x'] })

  test('7.14: none, one, several, together, and the same device once', () => {
    expect(free()).toBe(3)
    expect(free(claim('x'))).toBe(3)
    expect(free(holding('x', 0))).toBe(2)
    expect(free(holding('x', 0, 1))).toBe(1)
    expect(free(holding('x', 0), holding('y', 1))).toBe(1)
    expect(free(holding('x', 0), holding('y', 0))).toBe(2)
    expect(free(claim('x', [request('gpu')], { status: {} }))).toBe(3)
  })

  test('7.14: devices are free again as soon as their claim is gone', () => {
    const results = (...held: readonly number[]) => holding('x', ...held)
    expect([
      free(results(0)),
      free(),
      free(results(1, 2)),
      free(results(1)),
      free({ ...results(1), status: {} }),
    ]).toEqual([2, 3, 1, 2, 3])
  })

  test('7.14: administrative access holds nothing', () => {
    const admin = holding('x', 0, 1)
    const results = admin.status?.allocation?.devices?.results ?? []
    const status = { allocation: { devices: { results: results.map((each) => ({ ...each, adminAccess: true })) } } }
    expect(free({ ...admin, status })).toBe(3)
  })

  test.each<[string, ResourceClaim['status'] | undefined, number]>([
    ['kept for pods that all leave', undefined, 3],
    ['kept for nobody', { reservedFor: [] }, 2],
    [
      'kept for somebody who is no pod',
      { reservedFor: [{ apiGroup: 'x', resource: 'things', name: 'a', uid: '1' }] },
      2,
    ],
    [
      'kept for a leaving pod and somebody else',
      {
        reservedFor: [
          { resource: 'pods', name: 'old', uid: 'uid-default-old' },
          { apiGroup: 'x', resource: 'things', name: 'a', uid: '1' },
        ],
      },
      2,
    ],
    ['kept for a leaving and a living pod', { reservedFor: reserved('old', 'x') }, 2],
  ])('7.14: a claim %s', (_, status, left) => {
    const held = claim('h', [request('gpu')], { holds: [`${DRIVER}/network/gpu-0`], for: ['old'] })
    const leaving = running(pod('old', { deleted: true }), 'n')
    const plan = cluster([plain], claim('a'), claim('b'), claim('c'), {
      ...held,
      status: { ...held.status, ...status },
    })
      .node('n', { pods: [leaving], cpu: '0' })
      .devices({ resourceSlices: [network] })
      .pod('a', claiming('a'))
      .pod('b', claiming('b'))
      .pod('c', claiming('c'))
      .plan()
    expect(3 - plan.left.length).toBe(left)
  })

  test('7.14: of a shared device what was consumed is held, by all claims together', () => {
    const shared = slice([device('gpu-0', { shared: true, capacity: { memory: '10Gi' } })], { zones: [[zone1]] })
    const consuming = (name: string, memory: string) =>
      claim(name, [request('gpu')], { holds: [`${DRIVER}/network/gpu-0`], consumed: { memory }, for: ['x'] })
    const wants = (memory: string, ...held: readonly ResourceClaim[]): boolean =>
      cluster([plain], claim('a', [request('gpu', { capacity: { memory } })]), ...held)
        .devices({ resourceSlices: [shared] })
        .pod('a', claiming('a'))
        .plan().left.length === 0
    expect(wants('10Gi')).toBe(true)
    expect(wants('6Gi', consuming('x', '4Gi'))).toBe(true)
    expect(wants('7Gi', consuming('x', '4Gi'))).toBe(false)
    expect(wants('6Gi', consuming('x', '3Gi'), consuming('y', '2Gi'))).toBe(false)
  })
})

const reserved = (...names: readonly string[]) =>
  names.map((name) => ({ resource: 'pods', name, uid: `uid-default-${name}` }))

describe('7.16 finding devices', () => {
  test('7.16: claims without requests, counts, several requests, several claims', () => {
    expect(isServed([])).toBe(true)
    expect(isServed(devices(3), request('r', { count: 3 }))).toBe(true)
    expect(isServed(devices(3), request('r', { count: 4 }))).toBe(false)
    expect(isServed(devices(3), request('r', { count: 2 }), request('s'))).toBe(true)
    expect(isServed(devices(3), request('r', { count: 2 }), request('s', { count: 2 }))).toBe(false)
    const of = cluster([two], claim('a'), claim('b'), claim('c'))
    expect(of.pod('a', claiming('a', 'b')).plan().left).toEqual([])
    expect(of.pod('a', claiming('a', 'b', 'c')).plan().left).toEqual(['a'])
  })

  test('7.16: claims of one name in two namespaces are two', () => {
    const elsewhere = claim('a', [request('r', { count: 2 })], { namespace: 'other' })
    const of = cluster([two], claim('a'), elsewhere).namespace('other')
    const plan = of
      .pod('a', claiming('a'))
      .pod('b', { ...claiming('a'), namespace: 'other' })
      .plan()
    expect(plan.groups).toEqual([['a'], ['b']])
  })

  test('7.16: selectors of class and request hold together', () => {
    const types = [
      deviceType('old', [device('gpu-0', { is: { model: 'v1', maker: 'x' } })]),
      deviceType('other', [device('gpu-0', { is: { model: 'v2', maker: 'y' } })]),
      deviceType('right', [device('gpu-0', { is: { model: 'v2', maker: 'x' } })]),
    ]
    const made = deviceClass('made', `device.attributes["${DRIVER}"].maker == "x"`)
    const newer = request('r', { class: 'made', where: [`device.attributes["${DRIVER}"].model == "v2"`] })
    const of = cluster(types, claim('a', [newer])).devices({ deviceClasses: [made] })
    expect(typesOf(of.pod('a', claiming('a')))).toEqual(['right'])
  })

  test.each<[string, boolean]>([
    [`device.attributes["${DRIVER}"].cores >= 64`, true],
    [`device.attributes["${DRIVER}"].cores > 64`, false],
    [`device.attributes["${DRIVER}"].fast`, true],
    [`device.attributes["${DRIVER}"].firmware.isGreaterThan(semver("1.9.0"))`, true],
    [`device.attributes["other.example.com"].rack == "r1"`, true],
    [`device.capacity["${DRIVER}"].memory.compareTo(quantity("40Gi")) >= 0`, true],
    [`device.capacity["${DRIVER}"].memory.compareTo(quantity("80Gi")) >= 0`, false],
    ['"nowhere.example.com" in device.attributes', false],
    [`has(device.attributes["${DRIVER}"].speed)`, false],
    ['device.allowMultipleAllocations', false],
  ])('7.16: a device as expressions see it: %s is %s', (expression, isTrue) => {
    const own = device('gpu-0', {
      attributes: {
        cores: { int: 64 },
        fast: { bool: true },
        firmware: { version: '2.0.1' },
        'other.example.com/rack': { string: 'r1' },
      },
      capacity: { memory: '48Gi' },
    })
    expect(isServed([own], request('r', { where: [expression] }))).toBe(isTrue)
  })

  test('7.16: a selector that fails on a device ends the search there, and says so', () => {
    const expression = `device.attributes["${DRIVER}"].model == "v1"`
    const of = cluster([deviceType('m', devices(1))], claim('a', [request('r', { where: [expression] })]))
    expect(typesOf(of.pod('a', claiming('a')))).toContain('No such key: model')
  })

  test('7.16: devices of the network come before those of the machine, and leave it open what it becomes', () => {
    const of = cluster([plain, two], claim('a'), claim('b')).devices({ resourceSlices: [slice(devices(1))] })
    const plan = of.pod('a', claiming('a')).plan()
    expect([...plan.claim.instanceTypes]).toEqual(['plain', 'two'])
    expect(plan.claim.annotations['karpenter.sh/requested-dra-drivers']).toBeUndefined()
    const both = of.pod('a', claiming('a')).pod('b', claiming('b')).plan()
    expect(both.left).toEqual([])
    expect(both.claimOf('b').instanceTypes).toEqual(['two'])
  })

  test('7.16: devices that are for one node are for that node only', () => {
    const of = cluster([plain], claim('a')).node('m').node('n')
    const plan = of
      .devices({ resourceSlices: [slice(devices(1), { node: 'n' })] })
      .pod('a', claiming('a'))
      .plan()
    expect(plan.placeOf('a')).toBe('n')
    const nowhere = of.without('n').devices({ resourceSlices: [slice(devices(1), { node: 'n' })] })
    expect(nowhere.pod('a', claiming('a')).plan().left).toEqual(['a'])
  })

  test('7.16: of a device’s alternatives of nodes one has to hold', () => {
    const of = cluster([plain], claim('a')).devices({
      resourceSlices: [slice(devices(1), { zones: [['nowhere'], [zone2]] })],
    })
    expect(of.pod('a', claiming('a')).plan().zoneOf('a')).toBe(zone2)
  })

  test('7.16: devices may say one by one where they can be used', () => {
    const perDevice = slice(
      [
        device('gpu-0', { more: { nodeName: 'n' } }),
        device('gpu-1', { more: { nodeSelector: zoneSelector([zone2]) } }),
      ],
      { owner: 'n', pool: 'mixed', more: { perDeviceNodeSelection: true } },
    )
    const of = cluster([plain], claim('a'), claim('b'), claim('c'))
      .node('n')
      .devices({ resourceSlices: [perDevice] })
    const plan = of
      .pod('a', claiming('a'))
      .pod('b', { ...claiming('b'), selector: { [key.zone]: zone2 } })
      .pod('c', claiming('c'))
      .plan()
    expect([plan.placeOf('a'), plan.zoneOf('b'), plan.left]).toEqual(['n', zone2, ['c']])
  })

  test('7.16: of a pool the newest generation counts, and a count needs all of its slices', () => {
    const of = (...slices: Parameters<typeof slice>[1][]) =>
      cluster([plain], claim('a'), claim('b'))
        .devices({
          resourceSlices: slices.map((traits, index) =>
            slice(devices(1, {}, `d${index}`), { name: `${index}`, ...traits }),
          ),
        })
        .pod('a', claiming('a'))
        .pod('b', claiming('b'))
        .plan().left.length
    expect(of({ of: 2 }, { of: 2 })).toBe(0)
    expect(of({ of: 2 })).toBe(2)
    expect(of({ generation: 1 }, { generation: 2 })).toBe(1)
    expect(of({ pool: 'p' }, { pool: 'q', of: 3 })).toBe(1)
  })

  test.each<[string, Parameters<typeof slice>]>([
    ['a device twice', [[device('gpu-0'), device('gpu-0')], {}]],
    ['a counter set twice', [devices(1), { counters: [counterSet('s', { c: '1' }), counterSet('s', { c: '1' })] }]],
    ['a counter set that is not there', [[device('gpu-0', { uses: { none: { c: '1' } } })], {}]],
    [
      'a counter that is not there',
      [[device('gpu-0', { uses: { s: { d: '1' } } })], { counters: [counterSet('s', { c: '1' })] }],
    ],
    ['an amount that is none', [[device('gpu-0', { capacity: { memory: 'much' } })], {}]],
  ])('7.16: a pool with %s is not taken from, and fails whoever wants all', (_, [listed, traits]) => {
    const of = (mode: string) =>
      cluster([two], claim('a', [request('r', { allocationMode: mode })]))
        .devices({ resourceSlices: [slice(listed, traits)] })
        .pod('a', claiming('a'))
        .plan()
    expect(of('ExactCount').claim.annotations['karpenter.sh/requested-dra-drivers']).toBe(DRIVER)
    expect(of('All').whyNot('a')).toContain('is invalid')
  })

  test('7.16: all: of the network and the machine together, by type, and at least one', () => {
    const all = claim('a', [request('r', { allocationMode: 'All' })])
    const of = cluster([plain, two, eight], all, claim('b'))
    expect(typesOf(of.pod('a', claiming('a')))).toEqual(['eight', 'two'])
    // The second of the two claims finds the machine empty.
    expect(of.pod('a', claiming('a', 'b')).plan().left).toEqual(['a'])
    expect(of.pod('a', claiming('a')).pod('b', claiming('b')).plan().sizes).toEqual([1, 1])
    const network = of.devices({ resourceSlices: [slice(devices(1))] })
    expect(typesOf(network.pod('a', claiming('a')))).toEqual(['eight', 'plain', 'two'])
    const taken = claim('x', [request('gpu')], { holds: [`${DRIVER}/network/gpu-0`], for: ['x'] })
    expect(
      network
        .devices({ resourceClaims: [taken] })
        .pod('a', claiming('a'))
        .plan().left,
    ).toEqual(['a'])
    const incomplete = of.devices({ resourceSlices: [slice(devices(1), { of: 2 })] })
    expect(typesOf(incomplete.pod('a', claiming('a')))).toContain('pool gpu.example.com/network is incomplete')
  })

  test('7.16: all beside a count, and with devices that must agree', () => {
    const requests = [
      request('all', { allocationMode: 'All', where: [`device.attributes["${DRIVER}"].kind == "a"`] }),
      request('one'),
    ]
    const kinds = (...names: readonly string[]) => names.map((kind, index) => device(`gpu-${index}`, { is: { kind } }))
    expect(isServed(kinds('a', 'a', 'b'), ...requests)).toBe(true)
    expect(isServed(kinds('a', 'a'), ...requests)).toBe(false)
    const agree = (...names: readonly string[]): boolean =>
      cluster(
        [deviceType('m', kinds(...names))],
        claim('a', [request('all', { allocationMode: 'All' })], {
          constraints: [{ matchAttribute: `${DRIVER}/kind` }],
        }),
      )
        .pod('a', claiming('a'))
        .plan().left.length === 0
    expect(agree('a', 'a')).toBe(true)
    expect(agree('a', 'b')).toBe(false)
  })

  test('7.16: types whose devices do not do are out, all others stay', () => {
    const one = deviceType('one', devices(1), { price: 0.5 })
    const pair = claim('a', [request('r', { count: 2 })])
    expect(typesOf(cluster([plain, one, two, eight], pair).pod('a', claiming('a')))).toEqual(['eight', 'two'])
    expect(cluster([plain, one], pair).pod('a', claiming('a')).plan().left).toEqual(['a'])
  })

  test('7.16: a type that would need another zone than those before it is out', () => {
    // The cheapest type settles on the network device of its zone; the other is sold elsewhere only.
    const here = type('here', { price: 0.1, zones: [zone1] })
    const there = type('there', { price: 0.2, zones: [zone2] })
    const of = cluster([here, there], claim('a')).devices({
      resourceSlices: [
        slice(devices(1), { pool: 'p1', zones: [[zone1]] }),
        slice(devices(1), { pool: 'p2', zones: [[zone2]] }),
      ],
    })
    expect(typesOf(of.pod('a', claiming('a')))).toEqual(['here'])
    const only = cluster([here, there], claim('a')).devices({
      resourceSlices: [slice(devices(1), { zones: [[zone2]] })],
    })
    expect(typesOf(only.pod('a', claiming('a')))).toEqual(['there'])
  })

  test('7.16: the same device may stand for each type of one claim, and for no other claim', () => {
    const of = cluster([plain, type('other', { price: 0.2 })], claim('a'), claim('b'))
      .devices({ resourceSlices: [slice(devices(1))] })
      .pod('a', { ...claiming('a'), cpu: '3' })
      .pod('b', { ...claiming('b'), cpu: '3' })
      .plan()
    expect([of.left, [...of.claim.instanceTypes].sort()]).toEqual([['b'], ['other', 'plain']])
  })

  test.each<[string, DeviceRequest, string]>([
    ['no class of the name', request('r', { class: 'none' }), 'DeviceClass none does not exist'],
    ['an expression that does not parse', request('r', { where: ['device.'] }), 'selector "device."'],
    ['an expression that is no condition', request('r', { where: ['1 + 1'] }), 'not bool'],
    ['a selector that is no expression', { name: 'r', exactly: { deviceClassName: 'gpu', selectors: [{}] } }, 'CEL'],
    ['neither of the two forms', { name: 'r' }, 'neither exactly nor firstAvailable'],
    ['an unknown mode', request('r', { allocationMode: 'Some' }), 'allocationMode Some'],
    ['more than 32 devices', request('r', { count: 33 }), 'at most 32'],
    ['an amount that is none', request('r', { capacity: { memory: 'much' } }), 'much'],
    ['no way with few enough devices', firstOf('r', { name: 'a', count: 33 }, { name: 'b', count: 40 }), 'at most 32'],
  ])('7.16: a claim that cannot be understood is refused with its reason: %s', (_, asked, why) => {
    const of = cluster([deviceType('m', devices(40))], claim('a', [asked])).pod('a', claiming('a'))
    expect(of.plan().whyNot('a')).toContain('the pod cannot be planned: its ResourceClaim default/a: ')
    expect(of.plan().whyNot('a')).toContain(why)
  })

  test('7.16: constraints that are not understood refuse the claim', () => {
    const constrained = (constraints: Parameters<typeof claim>[2]) =>
      cluster([two], claim('a', [request('r')], constraints))
        .pod('a', claiming('a'))
        .plan()
        .whyNot('a')
    expect(constrained({ constraints: [{ distinctAttribute: 'a/b' }] })).toContain(
      'distinctAttribute is not understood',
    )
    expect(constrained({ constraints: [{}] })).toContain('of a kind that is not understood')
  })

  test('7.16: a machine with more than 32 devices is no place for who wants all of them', () => {
    const types = [deviceType('many', devices(33), { price: 0.1 }), two]
    const all = claim('a', [request('r', { allocationMode: 'All' })])
    expect(typesOf(cluster(types, all).pod('a', claiming('a')))).toEqual(['two'])
    expect(cluster(types.slice(0, 1), all).pod('a', claiming('a')).plan().left).toEqual(['a'])
  })

  test('7.16: devices with taints are for who tolerates them', () => {
    const broken = device('gpu-0', { more: { taints: [{ key: 'broken', effect: 'NoSchedule' }] } })
    expect(isServed([broken], request('r'))).toBe(false)
    expect(isServed([broken], request('r', { tolerations: [{ key: 'broken', operator: 'Exists' }] }))).toBe(true)
    const hint = device('gpu-0', { more: { taints: [{ key: 'old', effect: 'None' }] } })
    expect(isServed([hint], request('r'))).toBe(true)
  })

  test('7.16: administrative access needs no free device, and takes none', () => {
    const admin = claim('a', [request('r', { allocationMode: 'All', adminAccess: true })])
    const of = cluster([deviceType('m', devices(1))], admin, claim('b'))
    expect(of.pod('a', claiming('a')).pod('b', claiming('b')).plan().groups).toEqual([['a', 'b']])
    expect(of.pod('b', claiming('b')).pod('c', claiming('a')).plan().groups).toEqual([['b', 'c']])
  })
})

describe('7.16 devices that must agree', () => {
  const root = `${DRIVER}/root`
  const at = (...roots: readonly (string | undefined)[]) =>
    roots.map((value, index) => device(`gpu-${index}`, value === undefined ? {} : { is: { root: value } }))
  const agree = (
    listed: readonly Device[],
    requests: readonly DeviceRequest[],
    constraint: { readonly requests?: readonly string[]; readonly matchAttribute?: string } = {},
  ): boolean =>
    cluster([deviceType('m', listed)], claim('a', requests, { constraints: [{ matchAttribute: root, ...constraint }] }))
      .pod('a', claiming('a'))
      .plan().left.length === 0

  test('7.16: within a request and across requests, also when the first choice was wrong', () => {
    const pair = [request('r', { count: 2 })]
    expect(agree(at('a', 'b', 'b'), pair)).toBe(true)
    expect(agree(at('a', 'b', 'c'), pair)).toBe(false)
    const across = [request('r'), request('s')]
    expect(agree(at('a', 'b', 'b'), across)).toBe(true)
    expect(agree(at('a', 'b'), across)).toBe(false)
    expect(agree(at('a', 'b'), across, { requests: ['r'] })).toBe(true)
  })

  test('7.16: a device without the attribute does not agree, not even with itself', () => {
    expect(agree(at('a'), [request('r')])).toBe(true)
    expect(agree(at(undefined), [request('r')])).toBe(false)
    expect(agree(at('a', undefined), [request('r', { count: 2 })])).toBe(false)
  })

  test('7.16: values are equal by type, and the driver’s own need no domain', () => {
    const both = (a: Device['attributes'], b: Device['attributes']) => [
      device('gpu-0', { attributes: a ?? {} }),
      device('gpu-1', { attributes: b ?? {} }),
    ]
    const pair = [request('r', { count: 2 })]
    expect(agree(both({ root: { string: '1' } }, { root: { int: 1 } }), pair)).toBe(false)
    expect(agree(both({ root: { int: 1 } }, { root: { int: 1 } }), pair)).toBe(true)
    expect(agree(both({ root: { bool: false } }, { root: { bool: false } }), pair)).toBe(true)
    expect(agree(both({ root: { version: '1.0.0' } }, { root: { version: '1.0.0' } }), pair)).toBe(true)
    expect(agree(both({ root: { string: 'x' } }, { [root]: { string: 'x' } }), pair)).toBe(true)
    expect(agree(both({ root: { string: 'x' } }, { 'x.io/root': { string: 'x' } }), pair)).toBe(false)
  })

  test('7.16: constraints on ways of a request, by request or way', () => {
    const ways = firstOf('r', { name: 'two', count: 2 }, { name: 'one' })
    expect(agree(at('a', 'b'), [ways], { requests: ['r'] })).toBe(true)
    expect(agree(at('a', 'b'), [ways, request('s')], { requests: ['r/two'] })).toBe(true)
    expect(agree(at('a', 'b'), [ways, request('s')], { requests: ['r', 's'] })).toBe(false)
  })

  test('7.16: values that nobody knows yet agree where the type says so, and reach on', () => {
    const bindings = [bound(root, 'gpu-0', 'gpu-1'), bound(root, 'gpu-1', 'gpu-2'), bound(root, 'gpu-3')]
    const of =
      (...others: readonly Device[]) =>
      (count: number, attribute = root) =>
        cluster(
          [deviceType('m', [...at(undefined, undefined, undefined, undefined), ...others], { bindings })],
          claim('a', [request('r', { count })], { constraints: [{ matchAttribute: attribute }] }),
        )
          .pod('a', claiming('a'))
          .plan().left.length === 0
    expect([of()(1), of()(2), of()(3), of()(4)]).toEqual([true, true, true, false])
    expect(of()(2, `${DRIVER}/other`)).toBe(false)
    // A device whose value is known never agrees with one whose value is not.
    expect(of(device('known', { is: { root: 'a' } }))(4)).toBe(false)
  })

  test('7.16: what one type says of its devices does not hold for another', () => {
    const tied = deviceType('tied', at(undefined, undefined), { bindings: [bound(root, 'gpu-0', 'gpu-1')] })
    const loose = deviceType('loose', at(undefined, undefined), { price: 0.1 })
    const pair = claim('a', [request('r', { count: 2 })], { constraints: [{ matchAttribute: root }] })
    expect(typesOf(cluster([tied, loose], pair).pod('a', claiming('a')))).toEqual(['tied'])
  })
})

describe('7.16 the first of several ways', () => {
  const by = (kind: string) => [`device.attributes["${DRIVER}"].kind == "${kind}"`]
  const kinds = (...names: readonly string[]) => names.map((kind, index) => device(`gpu-${index}`, { is: { kind } }))
  const way = (name: string, more: object = {}) => ({ name, where: by(name), ...more })

  test('7.16: the first that can be had, else the next, else none; each type by itself', () => {
    const wants = firstOf('r', way('large'), way('small', { count: 2 }))
    expect(isServed(kinds('large'), wants)).toBe(true)
    expect(isServed(kinds('small', 'small'), wants)).toBe(true)
    expect(isServed(kinds('small'), wants)).toBe(false)
    const types = [
      deviceType('a', kinds('large')),
      deviceType('b', kinds('small', 'small')),
      deviceType('c', kinds('small')),
    ]
    expect(typesOf(cluster(types, claim('a', [wants])).pod('a', claiming('a')))).toEqual(['a', 'b'])
  })

  test('7.16: a way that leaves nothing for what follows is given up', () => {
    const wants = [firstOf('r', way('large'), way('small')), request('s', { where: by('large') })]
    expect(isServed(kinds('large', 'small'), ...wants)).toBe(true)
    expect(isServed(kinds('large'), ...wants)).toBe(false)
  })

  test('7.16: all as a way, and several claims', () => {
    const wants = firstOf('r', way('large', { allocationMode: 'All' }), way('small', { allocationMode: 'All' }))
    expect(isServed(kinds('small', 'small'), wants)).toBe(true)
    const of = cluster(
      [deviceType('m', kinds('large', 'small'))],
      claim('a', [wants]),
      claim('b', [wants]),
      claim('c', [wants]),
    )
    expect(of.pod('a', claiming('a', 'b')).plan().left).toEqual([])
    expect(of.pod('a', claiming('a', 'b', 'c')).plan().left).toEqual(['a'])
  })
})

describe('7.16 shared counters', () => {
  const slots = (count: number, size = '1') => devices(count, { uses: { board: { slices: size } } })
  const board = (slices: string) => [counterSet('board', { slices })]

  test('7.16: devices that use up the same counters are had as long as those last', () => {
    const of = (count: number) =>
      cluster([deviceType('m', slots(4), { deviceCounters: board('2') })], claim('a', [request('r', { count })]))
        .pod('a', claiming('a'))
        .plan().left.length === 0
    expect([of(1), of(2), of(3)]).toEqual([true, true, false])
  })

  test('7.16: by pods of one machine together, then there is a second one', () => {
    const claims = ['a', 'b', 'c'].map((name) => claim(name))
    const of = cluster([deviceType('m', slots(4), { deviceCounters: board('2') })], ...claims)
    const plan = of.pod('a', claiming('a')).pod('b', claiming('b')).pod('c', claiming('c')).plan()
    expect(plan.sizes).toEqual([2, 1])
  })

  test('7.16: every dimension counts, and a device that is too large is none', () => {
    const board2 = [counterSet('board', { slices: '4', memory: '40Gi' })]
    const part = (name: string, slices: string, memory: string) => device(name, { uses: { board: { slices, memory } } })
    const served = (count: number, ...parts: readonly Device[]): boolean =>
      cluster([deviceType('m', parts, { deviceCounters: board2 })], claim('a', [request('r', { count })]))
        .pod('a', claiming('a'))
        .plan().left.length === 0
    expect(served(2, part('p', '1', '20Gi'), part('q', '1', '20Gi'))).toBe(true)
    expect(served(2, part('p', '1', '20Gi'), part('q', '1', '21Gi'))).toBe(false)
    expect(served(1, part('p', '5', '1Gi'))).toBe(false)
    expect(served(2, part('p', '3', '30Gi'), part('q', '2', '10Gi'), part('r', '1', '10Gi'))).toBe(true)
  })

  test('7.16: what claims hold of a published pool is gone, also by devices that nobody asks for', () => {
    const pool = [
      slice(slots(3), { of: 2, name: 'devices' }),
      slice([], { of: 2, name: 'counters', counters: board('2') }),
    ]
    const of = (...held: readonly string[]) =>
      cluster([plain], claim('a'), claim('x', [request('gpu')], { holds: held, for: ['x'] }))
        .devices({ resourceSlices: pool })
        .pod('a', claiming('a'))
        .plan().left.length
    expect(of()).toBe(0)
    expect(of(`${DRIVER}/network/gpu-2`)).toBe(0)
    expect(of(`${DRIVER}/network/gpu-1`, `${DRIVER}/network/gpu-2`)).toBe(1)
  })

  test('7.16: counters of pools of the same names, published and promised, do not mix', () => {
    const promised = deviceType('m', slots(1), { deviceCounters: board('1') })
    const published = slice(slots(1), { pool: 'node', counters: board('1') })
    const of = cluster([promised], claim('a', [request('r', { count: 2 })])).devices({ resourceSlices: [published] })
    expect(of.pod('a', claiming('a')).plan().left).toEqual([])
  })
})

describe('7.16 consumable capacity', () => {
  const shared = (capacity: Parameters<typeof device>[1] = {}) => device('gpu-0', { shared: true, ...capacity })
  const wants = (name: string, memory?: string) =>
    claim(name, [request('r', memory === undefined ? {} : { capacity: { memory } })])
  const fits = (of: Device, ...amounts: readonly (string | undefined)[]): boolean => {
    const names = amounts.map((_, index) => `c${index}`)
    return (
      cluster([deviceType('m', [of])], ...amounts.map((amount, index) => wants(names[index] ?? '', amount)))
        .pod('a', claiming(...names))
        .plan().left.length === 0
    )
  }

  test('7.16: a shared device is had in parts until it is used up', () => {
    const own = shared({ capacity: { memory: '10Gi' } })
    expect(fits(own, '4Gi', '6Gi')).toBe(true)
    expect(fits(own, '4Gi', '7Gi')).toBe(false)
    expect(fits(own, '11Gi')).toBe(false)
    // Without an amount it is all of it.
    expect(fits(own, undefined)).toBe(true)
    expect(fits(own, undefined, '1Gi')).toBe(false)
    expect(fits(own, '0', '10Gi')).toBe(true)
  })

  test('7.16: a request has one part of a shared device at most, as kube-scheduler has it; requests, claims and pods share it', () => {
    const own = shared({ capacity: { memory: '10Gi' } })
    const twice = (memory: string) => request('r', { count: 2, capacity: { memory } })
    expect(isServed([own], twice('5Gi'))).toBe(false)
    expect(isServed([own, { ...own, name: 'gpu-1' }], twice('5Gi'))).toBe(true)
    const part = (name: string, memory: string) => request(name, { capacity: { memory } })
    expect(isServed([own], part('r', '5Gi'), part('s', '5Gi'))).toBe(true)
    expect(isServed([own], part('r', '5Gi'), part('s', '6Gi'))).toBe(false)
    const of = cluster([deviceType('m', [own])], wants('a', '4Gi'), wants('b', '6Gi'), wants('c', '1Gi'))
    const plan = of.pod('a', claiming('a')).pod('b', claiming('b')).pod('c', claiming('c')).plan()
    expect(plan.groups).toEqual([['a', 'b'], ['c']])
  })

  test('7.16: a device that is not shared is taken whole, if it has what is asked for', () => {
    const whole = device('gpu-0', { capacity: { memory: '10Gi' } })
    expect(fits(whole, '4Gi')).toBe(true)
    expect(fits(whole, '4Gi', '4Gi')).toBe(false)
    expect(fits(whole, '11Gi')).toBe(false)
    expect(fits(device('gpu-0'), '1Gi')).toBe(false)
  })

  test.each<[string, string, readonly string[], boolean]>([
    ['a default', '{"default":"4Gi"}', [''], true],
    ['a default, three times', '{"default":"4Gi"}', ['', '', ''], false],
    ['the next valid value', '{"validValues":["2Gi","5Gi"]}', ['3Gi', '3Gi'], true],
    ['the next valid value, which is too much', '{"validValues":["2Gi","6Gi"]}', ['3Gi', '3Gi'], false],
    ['more than any valid value', '{"validValues":["2Gi","5Gi"]}', ['6Gi'], false],
    ['at least the minimum', '{"validRange":{"min":"5Gi"}}', ['1Gi', '1Gi'], true],
    ['at least the minimum, too often', '{"validRange":{"min":"5Gi"}}', ['1Gi', '1Gi', '1Gi'], false],
    ['whole steps', '{"validRange":{"min":"1Gi","step":"4Gi"}}', ['2Gi', '5Gi'], true],
    ['whole steps, one too many', '{"validRange":{"min":"1Gi","step":"4Gi"}}', ['2Gi', '6Gi'], false],
    ['exactly the maximum', '{"validRange":{"min":"1Gi","max":"5Gi"}}', ['5Gi'], true],
    ['beyond the maximum', '{"validRange":{"min":"1Gi","max":"5Gi"}}', ['6Gi'], false],
  ])('7.16: amounts follow the policy: %s', (_, policy, amounts, isTrue) => {
    const own = shared({ capacity: { memory: { value: '10Gi', requestPolicy: JSON.parse(policy) } } })
    expect(fits(own, ...amounts.map((amount) => (amount === '' ? undefined : amount)))).toBe(isTrue)
  })

  test('7.16: every dimension that is asked for must be there, and none may run out', () => {
    const own = shared({ capacity: { memory: '10Gi', cores: '4' } })
    const two = (memory: string, cores: string) => request('r', { capacity: { memory, cores } })
    expect(isServed([own], two('1Gi', '4'))).toBe(true)
    expect(isServed([own], two('1Gi', '5'))).toBe(false)
    expect(isServed([own], request('r', { capacity: { speed: '1' } }))).toBe(false)
  })

  test('7.16: capacity and counters together', () => {
    const own = (name: string) => device(name, { shared: true, capacity: { memory: '10Gi' }, uses: { s: { c: '1' } } })
    const of = (count: number) =>
      cluster(
        [deviceType('m', [own('a'), own('b')], { deviceCounters: [counterSet('s', { c: '1' })] })],
        claim('a', [request('r', { count, capacity: { memory: '5Gi' } })]),
      )
        .pod('a', claiming('a'))
        .plan().left.length === 0
    expect([of(1), of(2)]).toEqual([true, false])
  })

  test('7.16: of a published device what is left of all claims and pods', () => {
    const own = shared({ capacity: { memory: '10Gi' } })
    const held = claim('x', [request('r')], {
      holds: [`${DRIVER}/network/gpu-0`],
      consumed: { memory: '4Gi' },
      for: ['x'],
    })
    const plan = cluster([plain], held, wants('a', '4Gi'), wants('b', '4Gi'))
      .devices({ resourceSlices: [slice([own])] })
      .pod('a', claiming('a'))
      .pod('b', claiming('b'))
      .plan()
    expect(plan.left).toEqual(['b'])
  })
})
