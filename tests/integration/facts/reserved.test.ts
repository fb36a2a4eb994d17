import { describe, expect, test } from 'vitest'
import { harness } from './harness.ts'
import { type TypeTraits, type, zone1, zone2 } from './instance-types.ts'
import { key } from './keys.ts'
import { daemon, is, type PoolTraits, term, web } from './objects.ts'
import { asks } from './outcome.ts'

describe('Reserved capacity', () => {
  const reserved = (id: string, capacity: number, price = 0.001) => ({
    capacityType: 'reserved',
    reservation: id,
    capacity,
    price,
    zone: zone1,
  })
  const machine = (name: string, cpu: string, ...reservations: ReturnType<typeof reserved>[]) =>
    type(name, {
      cpu,
      offerings: [...reservations, { capacityType: 'spot', zone: zone1 }, { zone: zone1 }],
    } satisfies TypeTraits)
  const alone = { labels: web, away: [term(key.host)], cpu: '1' }
  const kinds = (plan: ReturnType<ReturnType<typeof harness>['plan']>) =>
    plan.claims.map(({ cheapest }) => `${cheapest.capacityType} ${cheapest.instanceType}`)

  /** Returns an instance type whose reservation has `left` instances left, as the provider reports it after some launches. */
  const small = (left: number) => machine('small', '2', reserved('r-small', left))
  const medium = (left: number) => machine('medium', '4', reserved('r-medium', left, 0.002))

  test('Reserved capacity: a claim holds every reservation that it may use; the other pods wait for the next decision', () => {
    const round = (...types: ReturnType<typeof machine>[]) => harness().only({ types }).pods(3, alone).plan()
    const first = round(small(1), medium(1))
    expect([kinds(first), first.left.length]).toEqual([['reserved small'], 2])
    expect(asks(first.claim, key.capacityType)).toBe('In [reserved]')
    expect(asks(first.claim, key.reservation)).toBe('In [r-medium r-small]')
    const gone = { available: false }
    const second = round(
      type('small', { cpu: '2', offerings: [{ ...reserved('r-small', 0), ...gone }, { zone: zone1 }] }),
      medium(1),
    )
    expect([kinds(second), second.left.length]).toEqual([['reserved medium'], 2])
    const third = round(
      type('small', { cpu: '2', offerings: [{ ...reserved('r-small', 0), ...gone }, { zone: zone1 }] }),
    )
    expect(kinds(third)).toEqual(['on-demand small', 'on-demand small', 'on-demand small'])
  })

  test('Reserved capacity: pools share a reservation, or each uses its own', () => {
    const of = (a: string, b: string) =>
      harness()
        .pool('a', { labels: { team: 'a' }, types: [machine('m', '2', reserved(a, 1))] })
        .pool('b', { labels: { team: 'b' }, types: [machine('m', '2', reserved(b, 1))] })
        .pod('in-a', { selector: { team: 'a' } })
        .pod('in-b', { selector: { team: 'b' } })
        .plan()
    expect(of('same', 'same').left).toHaveLength(1)
    expect(kinds(of('one', 'two'))).toEqual(['reserved m', 'reserved m'])
  })

  test('Reserved capacity: two reservations of one and two instances of one type serve four pods in three decisions', () => {
    const round = (one: number, two: number, pods: number) => {
      const offers = [reserved('one', one), reserved('two', two)].filter(({ capacity }) => capacity > 0)
      const plan = harness()
        .only({ types: [machine('m', '2', ...offers)] })
        .pods(pods, alone)
        .plan()
      return [plan.sizes.length, plan.left.length]
    }
    expect(round(1, 2, 4)).toEqual([2, 2])
    expect(round(0, 1, 2)).toEqual([1, 1])
    expect(round(0, 0, 1)).toEqual([1, 0])
  })

  test('Reserved capacity: while the pool with the greatest weight has a suitable reservation, no other pool is used and no preference is given up', () => {
    const plan = harness()
      .pool('heavy', { weight: 10, types: [machine('h', '2', reserved('heavy', 1))] })
      .pool('light', { types: [machine('l', '2', reserved('light', 1))] })
      .pods(2, alone)
      .plan()
    expect([kinds(plan), plan.left.length]).toEqual([['reserved h'], 1])
    const wishing = harness()
      .only({ types: [machine('m', '2', reserved('r', 1))] })
      .pods(2, { ...alone, prefers: [[is(key.capacityType, 'In', 'reserved')]] })
      .plan()
    expect(wishing.left).toHaveLength(1)
  })

  test('Reserved capacity: several pods share a reserved node', () => {
    const plan = harness()
      .only({ types: [machine('m', '4', reserved('r', 1))] })
      .pods(3, { cpu: '1' })
      .plan()
    expect([kinds(plan), plan.sizes]).toEqual([['reserved m'], [3]])
  })
})

describe('Other', () => {
  test.each<[string, PoolTraits['requirements']]>([
    ['a type that nobody has', [is(key.instanceType, 'In', 'missing')]],
    ['an arch that contradicts the type', [is(key.instanceType, 'In', 'small'), is(key.arch, 'In', 'arm64')]],
    ['a zone of elsewhere', [is(key.zone, 'In', 'elsewhere')]],
  ])(
    'Other: a pool that excludes all types launches nothing, but existing nodes still run pods: %s',
    (_, requirements) => {
      const cluster = harness().only(requirements === undefined ? {} : { requirements })
      expect(cluster.pod('a').plan().left).toEqual(['a'])
      expect(cluster.pod('a').plan().whyNot('a')).not.toBe('')
      expect(cluster.node('n').pod('a').plan().placeOf('a')).toBe('n')
    },
  )

  test('Other: pods with device claims are unschedulable, other pods and daemons are not', () => {
    const container = { name: 'c', resources: { claims: [{ name: 'gpu' }] } }
    const plan = harness()
      .pod('by-container', { spec: { containers: [container] } })
      .pod('by-init', { initContainers: [container] })
      .pod('by-both', { spec: { containers: [container], resourceClaims: [{ name: 'gpu' }] } })
      .pod('plain')
      .plan()
    expect(plan.left).toEqual(['by-both', 'by-container', 'by-init'])
    expect(plan.whyNot('by-container')).toContain('devices')
    const claiming = daemon('d', { cpu: '15900m', spec: { resourceClaims: [{ name: 'gpu' }] } })
    expect(harness().daemons(claiming).pod('a', { cpu: '1' }).plan().left).toEqual([])
    expect(
      harness().daemons(claiming).options({ ignoreDraRequests: false }).pod('a', { cpu: '1' }).plan().left,
    ).toEqual(['a'])
  })

  test('Other: only offerings with a device provide it, and only while they are available', () => {
    const types = (available: boolean) => [
      type('plain', { price: 0.1 }),
      type('m', {
        offerings: [
          { zone: zone1, price: 1 },
          { zone: zone2, price: 2, available, capacityOverride: { 'example.com/fpga': '1' } },
        ],
      }),
    ]
    const wants = { requests: { 'example.com/fpga': '1' } }
    const plan = harness()
      .only({ types: types(true) })
      .pod('a', wants)
      .plan()
    expect([plan.claim.instanceTypes, plan.zoneOf('a')]).toEqual([['m'], zone2])
    expect(
      harness()
        .only({ types: types(false) })
        .pod('a', wants)
        .plan().left,
    ).toEqual(['a'])
  })
})
