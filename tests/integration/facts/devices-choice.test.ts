import type { Device, DeviceRequest } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { cluster, isServed, plannedTypes } from './device-clusters.ts'
import { bound, claim, claiming, DRIVER, device, deviceType, firstAvailableRequest, request } from './devices.ts'

describe('devices that must have the same attribute value', () => {
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

  test('Finding devices: devices must match within and across requests, even if another device is tried first', () => {
    const pair = [request('r', { count: 2 })]
    expect(agree(at('a', 'b', 'b'), pair)).toBe(true)
    expect(agree(at('a', 'b', 'c'), pair)).toBe(false)
    const across = [request('r'), request('s')]
    expect(agree(at('a', 'b', 'b'), across)).toBe(true)
    expect(agree(at('a', 'b'), across)).toBe(false)
    expect(agree(at('a', 'b'), across, { requests: ['r'] })).toBe(true)
  })

  test('Finding devices: a device without the attribute matches no device, not even itself', () => {
    expect(agree(at('a'), [request('r')])).toBe(true)
    expect(agree(at(undefined), [request('r')])).toBe(false)
    expect(agree(at('a', undefined), [request('r', { count: 2 })])).toBe(false)
  })

  test('Finding devices: equal values have the same type, and the driver’s own attributes need no domain', () => {
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

  test('Finding devices: a constraint names a request, or one of its alternatives', () => {
    const ways = firstAvailableRequest('r', { name: 'two', count: 2 }, { name: 'one' })
    expect(agree(at('a', 'b'), [ways], { requests: ['r'] })).toBe(true)
    expect(agree(at('a', 'b'), [ways, request('s')], { requests: ['r/two'] })).toBe(true)
    expect(agree(at('a', 'b'), [ways, request('s')], { requests: ['r', 's'] })).toBe(false)
  })

  test('Finding devices: unknown values match if the instance type binds them, directly or through other devices', () => {
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
    // A device whose value is known never matches a device whose value is unknown.
    expect(of(device('known', { is: { root: 'a' } }))(4)).toBe(false)
  })

  test('Finding devices: what one instance type declares about its devices does not apply to another type', () => {
    const tied = deviceType('tied', at(undefined, undefined), { bindings: [bound(root, 'gpu-0', 'gpu-1')] })
    const loose = deviceType('loose', at(undefined, undefined), { price: 0.1 })
    const pair = claim('a', [request('r', { count: 2 })], { constraints: [{ matchAttribute: root }] })
    expect(plannedTypes(cluster([tied, loose], pair).pod('a', claiming('a')))).toEqual(['tied'])
  })
})

describe('the first of several alternatives', () => {
  const by = (kind: string) => [`device.attributes["${DRIVER}"].kind == "${kind}"`]
  const kinds = (...names: readonly string[]) => names.map((kind, index) => device(`gpu-${index}`, { is: { kind } }))
  const way = (name: string, more: object = {}) => ({ name, where: by(name), ...more })

  test('Finding devices: the first available alternative is used, or the next, or none; for each instance type separately', () => {
    const wants = firstAvailableRequest('r', way('large'), way('small', { count: 2 }))
    expect(isServed(kinds('large'), wants)).toBe(true)
    expect(isServed(kinds('small', 'small'), wants)).toBe(true)
    expect(isServed(kinds('small'), wants)).toBe(false)
    const types = [
      deviceType('a', kinds('large')),
      deviceType('b', kinds('small', 'small')),
      deviceType('c', kinds('small')),
    ]
    expect(plannedTypes(cluster(types, claim('a', [wants])).pod('a', claiming('a')))).toEqual(['a', 'b'])
  })

  test('Finding devices: an alternative that leaves no devices for later requests is given up', () => {
    const wants = [firstAvailableRequest('r', way('large'), way('small')), request('s', { where: by('large') })]
    expect(isServed(kinds('large', 'small'), ...wants)).toBe(true)
    expect(isServed(kinds('large'), ...wants)).toBe(false)
  })

  test('Finding devices: all devices as an alternative, and several claims', () => {
    const wants = firstAvailableRequest(
      'r',
      way('large', { allocationMode: 'All' }),
      way('small', { allocationMode: 'All' }),
    )
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
