import { parseResources } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { VirtualClock } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { UnavailableOfferings } from './unavailable-offerings.ts'

const offering = (capacityType: string, zone: string) => ({
  requirements: [
    { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: [capacityType] },
    { key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: [zone] },
  ],
  price: 1,
  available: true,
})
const type = (name: string): InstanceType => ({
  name,
  requirements: [],
  offerings: [offering('spot', 'a'), offering('spot', 'b'), offering('on-demand', 'a')],
  capacity: parseResources({ cpu: '1' }),
  overhead: {},
})
const a = { capacityType: 'spot', instanceType: 'm', zone: 'a' }

describe('unavailable offerings', () => {
  test('an entry makes the matching offerings unavailable until it expires, and the sequence changes', async () => {
    const clock = new VirtualClock()
    const cache = new UnavailableOfferings(clock, { ttl: 1_000 })
    const before = cache.sequence
    cache.mark(a, 'no capacity')
    expect(cache.sequence).toBeGreaterThan(before)
    expect(cache.reasonFor(a)).toBe('no capacity')
    expect(cache.reasonFor({ ...a, zone: 'b' })).toBeUndefined()
    const marked = cache.sequence
    await clock.advance(999)
    expect(cache.sequence).toBe(marked)
    await clock.advance(1)
    expect(cache.reasonFor(a)).toBeUndefined()
    expect(cache.sequence).toBeGreaterThan(marked)
  })

  test.each([
    [{ capacityType: 'spot' }, ['spot a', 'spot b']],
    [{ zone: 'a' }, ['spot a', 'on-demand a']],
    [{ instanceType: 'm' }, ['spot a', 'spot b', 'on-demand a']],
    [{ instanceType: 'other' }, []],
    [{}, ['spot a', 'spot b', 'on-demand a']],
  ])('the general pattern %j matches %j', (pattern, expected) => {
    const cache = new UnavailableOfferings(new VirtualClock(), { ttl: 1_000 })
    cache.mark(pattern, 'quota')
    const [applied] = cache.applyTo([type('m')])
    const out = applied?.offerings
      .filter(({ available }) => !available)
      .map(({ requirements }) => requirements.map(({ values }) => values?.[0]).join(' '))
    expect(out).toEqual(expected)
  })

  test('a shorter entry does not shorten a longer one', async () => {
    const clock = new VirtualClock()
    const cache = new UnavailableOfferings(clock, { ttl: 1_000 })
    cache.mark(a, 'quota', 10_000)
    cache.mark(a, 'no capacity')
    await clock.advance(5_000)
    expect(cache.reasonFor(a)).toBe('quota')
  })

  test('types without unavailable offerings are returned as the same objects', () => {
    const cache = new UnavailableOfferings(new VirtualClock(), { ttl: 1_000 })
    const types = [type('m'), type('n')]
    expect(cache.applyTo(types)).toBe(types)
    cache.mark(a, 'no capacity')
    const applied = cache.applyTo(types)
    expect(applied[0]).not.toBe(types[0])
    expect(applied[1]).toBe(types[1])
    expect(types[0]?.offerings.every(({ available }) => available)).toBe(true)
    cache.clear()
    expect(cache.applyTo(types)).toBe(types)
  })

  test('the same list is returned until an entry is added or expires, or the types change', async () => {
    const clock = new VirtualClock()
    const cache = new UnavailableOfferings(clock, { ttl: 1_000 })
    const types = [type('m'), type('n')]
    const isOut = (list: readonly InstanceType[]) =>
      list.map(({ offerings }) => offerings.some((each) => !each.available))
    cache.mark(a, 'no capacity')
    const applied = cache.applyTo(types)
    expect(cache.applyTo(types)).toBe(applied)
    await clock.advance(500)
    cache.mark({ instanceType: 'n' }, 'no capacity')
    const both = cache.applyTo(types)
    expect([isOut(applied), isOut(both)]).toEqual([
      [true, false],
      [true, true],
    ])
    expect(isOut(cache.applyTo([type('n'), type('o')]))).toEqual([true, false])
    await clock.advance(500)
    expect(isOut(cache.applyTo(types))).toEqual([false, true])
  })

  test('marking an offering without a zone marks only that offering, not every zone', () => {
    const cache = new UnavailableOfferings(new VirtualClock(), { ttl: 1_000 })
    cache.mark({ ...a, zone: '' }, 'no capacity')
    expect(cache.reasonFor({ ...a, zone: '' })).toBe('no capacity')
    expect(cache.reasonFor(a)).toBeUndefined()
  })

  test('marking the same offering again at the same time changes nothing, so that caches stay valid', () => {
    const cache = new UnavailableOfferings(new VirtualClock(), { ttl: 1_000 })
    cache.mark(a, 'no capacity')
    const before = cache.sequence
    cache.mark(a, 'no capacity')
    expect(cache.sequence).toBe(before)
  })
})
