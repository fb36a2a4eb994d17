import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { UnavailableSizes } from './unavailable-sizes.ts'

const HOUR = 3_600_000
const size = (vcpus: number, family = 'standardDSv5Family') => ({
  ...{ name: `Standard_${family}${vcpus}`, quotaFamily: family, vcpus, zones: ['1', '2'] },
})
const ZONE = 'westeurope-1'
const OTHER = 'westeurope-2'
const REGION = '0'
const spot = { zone: ZONE, capacityType: 'spot' } as const

const harness = () => {
  const clock = new VirtualClock()
  const sizes = new UnavailableSizes(clock, 'westeurope')
  /** Returns the unavailable offerings of a size, each as `zone capacity-type`. */
  const out = (vcpus: number, family?: string): readonly string[] =>
    [ZONE, OTHER, REGION].flatMap((zone) =>
      (['on-demand', 'spot'] as const).flatMap((capacityType) =>
        sizes.isUnavailable(size(vcpus, family), zone, capacityType) ? [`${zone} ${capacityType}`] : [],
      ),
    )
  return { clock, sizes, out }
}

test.each([
  ['offering', [`${ZONE} spot`]],
  ['zone', [`${ZONE} on-demand`, `${ZONE} spot`]],
  ['same-scope-and-capacity-type', [`${ZONE} spot`, `${OTHER} spot`]],
  ['same-scope', [`${ZONE} on-demand`, `${ZONE} spot`, `${OTHER} on-demand`, `${OTHER} spot`]],
  ['size-and-capacity-type', [`${ZONE} spot`, `${OTHER} spot`, `${REGION} spot`]],
  ['all-spot', [`${ZONE} spot`, `${OTHER} spot`, `${REGION} spot`]],
  ['on-demand-of-as-many-cores', [`${ZONE} on-demand`, `${OTHER} on-demand`, `${REGION} on-demand`]],
  ['denied-size', [`${ZONE} spot`, `${OTHER} spot`, `${REGION} spot`]],
] as const)('%s', (scope, expected) => {
  const { sizes, out } = harness()
  sizes.refuse(size(4), spot, { scope, reason: 'Test', ttl: HOUR })
  expect(out(4)).toEqual(expected)
})

test('a refused size makes larger ones of its family unavailable, but no smaller ones or other families', () => {
  const { sizes, out } = harness()
  sizes.refuse(size(8), spot, { scope: 'offering', reason: 'Test', ttl: HOUR })
  expect(out(16)).toEqual([`${ZONE} spot`])
  expect(out(4)).toEqual([])
  expect(out(16, 'standardESv5Family')).toEqual([])
})

test('another size of the family with as many cores becomes unavailable too', () => {
  const { sizes } = harness()
  sizes.refuse(size(8), spot, { scope: 'offering', reason: 'Test', ttl: HOUR })
  expect(sizes.isUnavailable({ ...size(8), name: 'Standard_other8' }, ZONE, 'spot')).toBe(true)
})

test('every entry expires at its own time, even if others follow', async () => {
  const { clock, sizes, out } = harness()
  sizes.refuse(size(4), spot, { scope: 'offering', reason: 'Test', ttl: 23 * HOUR })
  sizes.refuse(size(16), spot, { scope: 'offering', reason: 'Test', ttl: HOUR / 6 })
  const before = sizes.sequence
  await clock.advance(HOUR)
  expect(out(4)).toEqual([`${ZONE} spot`])
  expect(sizes.sequence).not.toBe(before)
  await clock.advance(22 * HOUR)
  expect(out(4)).toEqual([])
})

test('a family that is refused again stays unavailable until the later entry expires', async () => {
  const { clock, sizes } = harness()
  const other = { ...size(4), name: 'Standard_other4' }
  sizes.refuse(size(4), spot, { scope: 'offering', reason: 'Test', ttl: HOUR })
  await clock.advance(HOUR / 2)
  sizes.refuse(size(4), spot, { scope: 'offering', reason: 'Test', ttl: HOUR })
  await clock.advance(HOUR / 2)
  expect(sizes.isUnavailable(other, ZONE, 'spot')).toBe(true)
  await clock.advance(HOUR / 2)
  expect(sizes.isUnavailable(other, ZONE, 'spot')).toBe(false)
})

test('an entry without a zone does not affect the zones', () => {
  const { sizes, out } = harness()
  sizes.refuse(size(4), { zone: REGION, capacityType: 'on-demand' }, { scope: 'same-scope', reason: 'Test', ttl: HOUR })
  expect(out(4)).toEqual([`${REGION} on-demand`, `${REGION} spot`])
})

test('the regional quota makes as many cores of every family unavailable on-demand, but neither fewer cores nor spot', async () => {
  const { clock, sizes, out } = harness()
  sizes.refuse(
    size(8),
    { zone: ZONE, capacityType: 'on-demand' },
    { scope: 'on-demand-of-as-many-cores', reason: 'Test', ttl: HOUR },
  )
  expect(out(8, 'standardESv5Family')).toEqual([ZONE, OTHER, REGION].map((zone) => `${zone} on-demand`))
  expect(out(4)).toEqual([])
  await clock.advance(HOUR)
  expect(out(8)).toEqual([])
})

test('a policy’s denial affects only the class that it was denied to, the size, and the capacity type', async () => {
  const { clock, sizes } = harness()
  const before = sizes.sequence
  sizes.refuse(size(4), spot, { scope: 'denied-size', reason: 'Test', ttl: HOUR }, 'class-1')
  expect(sizes.sequence).not.toBe(before)
  const isOut = (vcpus: number, capacityType: 'on-demand' | 'spot', nodeClass: string) =>
    sizes.isUnavailable(size(vcpus), OTHER, capacityType, nodeClass)
  expect([isOut(4, 'spot', 'class-1'), sizes.hasDenied('class-1')]).toEqual([true, true])
  expect([isOut(8, 'spot', 'class-1'), isOut(4, 'on-demand', 'class-1'), isOut(4, 'spot', 'class-2')]).toEqual([
    false,
    false,
    false,
  ])
  const marked = sizes.sequence
  await clock.advance(HOUR)
  expect([isOut(4, 'spot', 'class-1'), sizes.hasDenied('class-1'), sizes.sequence === marked]).toEqual([
    false,
    false,
    false,
  ])
  sizes.refuse(size(4), spot, { scope: 'denied-size', reason: 'Test', ttl: HOUR }, 'class-2')
  expect(sizes.sequence).toBeGreaterThan(marked)
})
