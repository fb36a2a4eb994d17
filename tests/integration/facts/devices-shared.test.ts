import type { Device } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { cluster, isServed, plain } from './device-clusters.ts'
import { claim, claiming, counterSet, DRIVER, device, devices, deviceType, request, slice } from './devices.ts'

describe('shared counters', () => {
  const slots = (count: number, size = '1') => devices(count, { uses: { board: { slices: size } } })
  const board = (slices: string) => [counterSet('board', { slices })]

  test('Finding devices: devices that consume the same counters are available until the counters are used up', () => {
    const of = (count: number) =>
      cluster([deviceType('m', slots(4), { deviceCounters: board('2') })], claim('a', [request('r', { count })]))
        .pod('a', claiming('a'))
        .plan().left.length === 0
    expect([of(1), of(2), of(3)]).toEqual([true, true, false])
  })

  test('Finding devices: the pods of a node share its counters, and when these are used up a second node is launched', () => {
    const claims = ['a', 'b', 'c'].map((name) => claim(name))
    const of = cluster([deviceType('m', slots(4), { deviceCounters: board('2') })], ...claims)
    const plan = of.pod('a', claiming('a')).pod('b', claiming('b')).pod('c', claiming('c')).plan()
    expect(plan.sizes).toEqual([2, 1])
  })

  test('Finding devices: every counter is checked, and a device that needs more than is left is not available', () => {
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

  test('Finding devices: counters that claims consume of a published pool are used up, even through devices that no pod requests', () => {
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

  test('Finding devices: counters of published and promised pools with the same names are separate', () => {
    const promised = deviceType('m', slots(1), { deviceCounters: board('1') })
    const published = slice(slots(1), { pool: 'node', counters: board('1') })
    const of = cluster([promised], claim('a', [request('r', { count: 2 })])).devices({ resourceSlices: [published] })
    expect(of.pod('a', claiming('a')).plan().left).toEqual([])
  })
})

describe('consumable capacity', () => {
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

  test('Finding devices: a shared device is allocated in parts until it is used up', () => {
    const own = shared({ capacity: { memory: '10Gi' } })
    expect(fits(own, '4Gi', '6Gi')).toBe(true)
    expect(fits(own, '4Gi', '7Gi')).toBe(false)
    expect(fits(own, '11Gi')).toBe(false)
    // Without an amount, the request is for the device's whole capacity.
    expect(fits(own, undefined)).toBe(true)
    expect(fits(own, undefined, '1Gi')).toBe(false)
    expect(fits(own, '0', '10Gi')).toBe(true)
  })

  test('Finding devices: a request gets at most one part of a shared device, as in kube-scheduler; several requests, claims and pods can share it', () => {
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

  test('Finding devices: a device that is not shared is allocated completely if it has the requested capacity', () => {
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
  ])(
    'Finding devices: requested amounts are rounded according to the device’s policy: %s',
    (_, policy, amounts, isTrue) => {
      const own = shared({ capacity: { memory: { value: '10Gi', requestPolicy: JSON.parse(policy) } } })
      expect(fits(own, ...amounts.map((amount) => (amount === '' ? undefined : amount)))).toBe(isTrue)
    },
  )

  test('Finding devices: every requested capacity must exist, and no capacity may be exceeded', () => {
    const own = shared({ capacity: { memory: '10Gi', cores: '4' } })
    const two = (memory: string, cores: string) => request('r', { capacity: { memory, cores } })
    expect(isServed([own], two('1Gi', '4'))).toBe(true)
    expect(isServed([own], two('1Gi', '5'))).toBe(false)
    expect(isServed([own], request('r', { capacity: { speed: '1' } }))).toBe(false)
  })

  test('Finding devices: capacity and counters together', () => {
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

  test('Finding devices: a published device offers the capacity that claims and pods have not consumed', () => {
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
