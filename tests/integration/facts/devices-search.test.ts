import type { DeviceRequest } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { cluster, eight, isServed, plain, plannedTypes, two } from './device-clusters.ts'
import {
  claim,
  claiming,
  counterSet,
  DRIVER,
  device,
  deviceClass,
  devices,
  deviceType,
  firstAvailableRequest,
  request,
  slice,
  zoneSelector,
} from './devices.ts'
import { type, zone1, zone2 } from './instance-types.ts'
import { key } from './keys.ts'

describe('finding devices', () => {
  test('Finding devices: claims without requests, counts, several requests, several claims', () => {
    expect(isServed([])).toBe(true)
    expect(isServed(devices(3), request('r', { count: 3 }))).toBe(true)
    expect(isServed(devices(3), request('r', { count: 4 }))).toBe(false)
    expect(isServed(devices(3), request('r', { count: 2 }), request('s'))).toBe(true)
    expect(isServed(devices(3), request('r', { count: 2 }), request('s', { count: 2 }))).toBe(false)
    const of = cluster([two], claim('a'), claim('b'), claim('c'))
    expect(of.pod('a', claiming('a', 'b')).plan().left).toEqual([])
    expect(of.pod('a', claiming('a', 'b', 'c')).plan().left).toEqual(['a'])
  })

  test('Finding devices: claims with the same name in two namespaces are different', () => {
    const elsewhere = claim('a', [request('r', { count: 2 })], { namespace: 'other' })
    const of = cluster([two], claim('a'), elsewhere).namespace('other')
    const plan = of
      .pod('a', claiming('a'))
      .pod('b', { ...claiming('a'), namespace: 'other' })
      .plan()
    expect(plan.groups).toEqual([['a'], ['b']])
  })

  test('Finding devices: the selectors of class and request must both match', () => {
    const types = [
      deviceType('old', [device('gpu-0', { is: { model: 'v1', maker: 'x' } })]),
      deviceType('other', [device('gpu-0', { is: { model: 'v2', maker: 'y' } })]),
      deviceType('right', [device('gpu-0', { is: { model: 'v2', maker: 'x' } })]),
    ]
    const made = deviceClass('made', `device.attributes["${DRIVER}"].maker == "x"`)
    const newer = request('r', { class: 'made', where: [`device.attributes["${DRIVER}"].model == "v2"`] })
    const of = cluster(types, claim('a', [newer])).devices({ deviceClasses: [made] })
    expect(plannedTypes(of.pod('a', claiming('a')))).toEqual(['right'])
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
  ])('Finding devices: how expressions see a device: %s is %s', (expression, isTrue) => {
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

  test('Finding devices: a selector that fails on a device ends the search on that instance type, with the reason', () => {
    const expression = `device.attributes["${DRIVER}"].model == "v1"`
    const of = cluster([deviceType('m', devices(1))], claim('a', [request('r', { where: [expression] })]))
    expect(plannedTypes(of.pod('a', claiming('a')))).toContain('No such key: model')
  })

  test('Finding devices: network devices are used before the node’s own devices, and do not restrict its instance type', () => {
    const of = cluster([plain, two], claim('a'), claim('b')).devices({ resourceSlices: [slice(devices(1))] })
    const plan = of.pod('a', claiming('a')).plan()
    expect([...plan.claim.instanceTypes]).toEqual(['plain', 'two'])
    expect(plan.claim.annotations['karpenter.sh/requested-dra-drivers']).toBeUndefined()
    const both = of.pod('a', claiming('a')).pod('b', claiming('b')).plan()
    expect(both.left).toEqual([])
    expect(both.claimOf('b').instanceTypes).toEqual(['two'])
  })

  test('Finding devices: devices for one node are available only to that node', () => {
    const of = cluster([plain], claim('a')).node('m').node('n')
    const plan = of
      .devices({ resourceSlices: [slice(devices(1), { node: 'n' })] })
      .pod('a', claiming('a'))
      .plan()
    expect(plan.placeOf('a')).toBe('n')
    const nowhere = of.without('n').devices({ resourceSlices: [slice(devices(1), { node: 'n' })] })
    expect(nowhere.pod('a', claiming('a')).plan().left).toEqual(['a'])
  })

  test('Finding devices: one of a device’s node alternatives must match', () => {
    const of = cluster([plain], claim('a')).devices({
      resourceSlices: [slice(devices(1), { zones: [['nowhere'], [zone2]] })],
    })
    expect(of.pod('a', claiming('a')).plan().zoneOf('a')).toBe(zone2)
  })

  test('Finding devices: each device may define separately where it is accessible', () => {
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

  test('Finding devices: the newest generation of a pool counts, and a request with a count needs all of its slices', () => {
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
    ['a missing counter set', [[device('gpu-0', { uses: { none: { c: '1' } } })], {}]],
    [
      'a missing counter',
      [[device('gpu-0', { uses: { s: { d: '1' } } })], { counters: [counterSet('s', { c: '1' })] }],
    ],
    ['an invalid amount', [[device('gpu-0', { capacity: { memory: 'much' } })], {}]],
  ])('Finding devices: a pool with %s is not used, and requests for all devices fail', (_, [listed, traits]) => {
    const of = (mode: string) =>
      cluster([two], claim('a', [request('r', { allocationMode: mode })]))
        .devices({ resourceSlices: [slice(listed, traits)] })
        .pod('a', claiming('a'))
        .plan()
    expect(of('ExactCount').claim.annotations['karpenter.sh/requested-dra-drivers']).toBe(DRIVER)
    expect(of('All').whyNot('a')).toContain('is invalid')
  })

  test('Finding devices: a request for all devices includes those of the network and of the node, for each instance type, and needs at least one', () => {
    const all = claim('a', [request('r', { allocationMode: 'All' })])
    const of = cluster([plain, two, eight], all, claim('b'))
    expect(plannedTypes(of.pod('a', claiming('a')))).toEqual(['eight', 'two'])
    // The first of the two ResourceClaims has taken all of the node's devices.
    expect(of.pod('a', claiming('a', 'b')).plan().left).toEqual(['a'])
    expect(of.pod('a', claiming('a')).pod('b', claiming('b')).plan().sizes).toEqual([1, 1])
    const network = of.devices({ resourceSlices: [slice(devices(1))] })
    expect(plannedTypes(network.pod('a', claiming('a')))).toEqual(['eight', 'plain', 'two'])
    const taken = claim('x', [request('gpu')], { holds: [`${DRIVER}/network/gpu-0`], for: ['x'] })
    expect(
      network
        .devices({ resourceClaims: [taken] })
        .pod('a', claiming('a'))
        .plan().left,
    ).toEqual(['a'])
    const incomplete = of.devices({ resourceSlices: [slice(devices(1), { of: 2 })] })
    expect(plannedTypes(incomplete.pod('a', claiming('a')))).toContain('pool gpu.example.com/network is incomplete')
  })

  test('Finding devices: a request for all devices together with a count, and with matching attributes', () => {
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

  test('Finding devices: types with unsuitable devices are excluded, all others stay', () => {
    const one = deviceType('one', devices(1), { price: 0.5 })
    const pair = claim('a', [request('r', { count: 2 })])
    expect(plannedTypes(cluster([plain, one, two, eight], pair).pod('a', claiming('a')))).toEqual(['eight', 'two'])
    expect(cluster([plain, one], pair).pod('a', claiming('a')).plan().left).toEqual(['a'])
  })

  test('Finding devices: a type that needs a different zone from earlier types is excluded', () => {
    // The cheapest instance type uses the network device of its zone. The other type is offered only in another zone.
    const here = type('here', { price: 0.1, zones: [zone1] })
    const there = type('there', { price: 0.2, zones: [zone2] })
    const of = cluster([here, there], claim('a')).devices({
      resourceSlices: [
        slice(devices(1), { pool: 'p1', zones: [[zone1]] }),
        slice(devices(1), { pool: 'p2', zones: [[zone2]] }),
      ],
    })
    expect(plannedTypes(of.pod('a', claiming('a')))).toEqual(['here'])
    const only = cluster([here, there], claim('a')).devices({
      resourceSlices: [slice(devices(1), { zones: [[zone2]] })],
    })
    expect(plannedTypes(only.pod('a', claiming('a')))).toEqual(['there'])
  })

  test('Finding devices: the same device may serve each instance type of one claim, but no other claim', () => {
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
    ['an expression that is not a condition', request('r', { where: ['1 + 1'] }), 'not bool'],
    ['a selector without an expression', { name: 'r', exactly: { deviceClassName: 'gpu', selectors: [{}] } }, 'CEL'],
    ['neither of the two forms', { name: 'r' }, 'neither exactly nor firstAvailable'],
    ['an unknown mode', request('r', { allocationMode: 'Some' }), 'allocationMode Some'],
    ['more than 32 devices', request('r', { count: 33 }), 'at most 32'],
    ['an invalid amount', request('r', { capacity: { memory: 'much' } }), 'much'],
    [
      'no way with few enough devices',
      firstAvailableRequest('r', { name: 'a', count: 33 }, { name: 'b', count: 40 }),
      'at most 32',
    ],
  ])('Finding devices: a claim that cannot be parsed is refused with its reason: %s', (_, asked, why) => {
    const of = cluster([deviceType('m', devices(40))], claim('a', [asked])).pod('a', claiming('a'))
    expect(of.plan().whyNot('a')).toContain('the pod cannot be planned: its ResourceClaim default/a: ')
    expect(of.plan().whyNot('a')).toContain(why)
  })

  test('Finding devices: unknown constraints make the claim unschedulable', () => {
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

  test('Finding devices: a node with more than 32 devices cannot serve a request for all of them', () => {
    const types = [deviceType('many', devices(33), { price: 0.1 }), two]
    const all = claim('a', [request('r', { allocationMode: 'All' })])
    expect(plannedTypes(cluster(types, all).pod('a', claiming('a')))).toEqual(['two'])
    expect(cluster(types.slice(0, 1), all).pod('a', claiming('a')).plan().left).toEqual(['a'])
  })

  test('Finding devices: devices with taints serve only requests that tolerate them', () => {
    const broken = device('gpu-0', { more: { taints: [{ key: 'broken', effect: 'NoSchedule' }] } })
    expect(isServed([broken], request('r'))).toBe(false)
    expect(isServed([broken], request('r', { tolerations: [{ key: 'broken', operator: 'Exists' }] }))).toBe(true)
    const hint = device('gpu-0', { more: { taints: [{ key: 'old', effect: 'None' }] } })
    expect(isServed([hint], request('r'))).toBe(true)
  })

  test('Finding devices: administrative access needs no free device, and uses none', () => {
    const admin = claim('a', [request('r', { allocationMode: 'All', adminAccess: true })])
    const of = cluster([deviceType('m', devices(1))], admin, claim('b'))
    expect(of.pod('a', claiming('a')).pod('b', claiming('b')).plan().groups).toEqual([['a', 'b']])
    expect(of.pod('b', claiming('b')).pod('c', claiming('a')).plan().groups).toEqual([['b', 'c']])
  })
})
