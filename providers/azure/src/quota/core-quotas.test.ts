import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { CoreQuotas } from './core-quotas.ts'

const FAMILY = 'standardDSv5Family'
const size = (vcpus: number, quotaFamily = FAMILY) => ({ quotaFamily, vcpus })
const usage = (currentValue: number, limit: number) => [{ name: { value: FAMILY }, currentValue, limit }]

test('a size is available as long as its quota has enough cores, and if its quota is unknown', () => {
  const quotas = new CoreQuotas(new VirtualClock())
  expect(quotas.hasCapacityFor(size(64))).toBe(true)
  quotas.update([...usage(8, 16), { name: { value: 'standardESv5Family' }, currentValue: 4 }])
  expect([8, 9].map((vcpus) => quotas.hasCapacityFor(size(vcpus)))).toEqual([true, false])
  expect(quotas.hasCapacityFor(size(8, 'standarddsv5family'))).toBe(true)
  expect(quotas.hasCapacityFor(size(9, 'standarddsv5family'))).toBe(false)
  expect(quotas.hasCapacityFor(size(64, 'standardESv5Family'))).toBe(true)
  expect(quotas.hasCapacityFor(size(64, ''))).toBe(true)
})

test('the sequence changes only when a quota changes', () => {
  const quotas = new CoreQuotas(new VirtualClock())
  quotas.update(usage(8, 16))
  const before = quotas.sequence
  quotas.update(usage(8, 16))
  expect(quotas.sequence).toBe(before)
  quotas.update(usage(9, 16))
  expect(quotas.sequence).not.toBe(before)
})

test('after more than 15 minutes without an update, all sizes are available', async () => {
  const clock = new VirtualClock()
  const quotas = new CoreQuotas(clock)
  quotas.update(usage(16, 16))
  await clock.advance(15 * 60_000)
  expect(quotas.hasCapacityFor(size(2))).toBe(false)
  const before = quotas.sequence
  await clock.advance(1)
  expect(quotas.hasCapacityFor(size(2))).toBe(true)
  expect(quotas.sequence).not.toBe(before)
})
