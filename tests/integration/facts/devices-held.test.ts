import type { ResourceClaim } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { cluster, plain } from './device-clusters.ts'
import { claim, claiming, DRIVER, device, devices, request, slice } from './devices.ts'
import { zone1 } from './instance-types.ts'
import { pod, running } from './objects.ts'

describe('devices that allocated claims use', () => {
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

  test('Devices that are held: none, one, several, together, and the same device once', () => {
    expect(free()).toBe(3)
    expect(free(claim('x'))).toBe(3)
    expect(free(holding('x', 0))).toBe(2)
    expect(free(holding('x', 0, 1))).toBe(1)
    expect(free(holding('x', 0), holding('y', 1))).toBe(1)
    expect(free(holding('x', 0), holding('y', 0))).toBe(2)
    expect(free(claim('x', [request('gpu')], { status: {} }))).toBe(3)
  })

  test('Devices that are held: devices are free again as soon as their claim is deleted', () => {
    const results = (...held: readonly number[]) => holding('x', ...held)
    expect([
      free(results(0)),
      free(),
      free(results(1, 2)),
      free(results(1)),
      free({ ...results(1), status: {} }),
    ]).toEqual([2, 3, 1, 2, 3])
  })

  test('Devices that are held: administrative access occupies no device', () => {
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
  ])('Devices that are held: a claim %s', (_, status, left) => {
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

  test('Devices that are held: for a shared device, the capacity that all claims consume together is occupied', () => {
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
