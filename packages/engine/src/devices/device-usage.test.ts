import { expect, test } from 'vitest'
import type { HostId } from '../model/ids.ts'
import { DeviceUsage } from './device-usage.ts'

const [a, b, c] = [1, 2, 3] as [HostId, HostId, HostId]

test('counts the type that uses most for other targets, and releases what a type no longer holds', () => {
  const usage = new DeviceUsage(new Map([['memory', 1n]]))
  const take = (target: HostId, type: string, amount: bigint) =>
    usage.take(target, type, [{ resource: 'memory', amount, total: 100n }])
  take(a, 'small', 2n)
  take(a, 'large', 5n)
  take(a, 'large', 1n)
  take(b, 'small', 10n)
  expect(usage.used('memory', c, 'any')).toBe(1n + 6n + 10n)
  expect(usage.used('memory', a, 'small')).toBe(1n + 2n + 10n)
  expect(usage.used('memory', a, 'large')).toBe(1n + 6n + 10n)
  expect(usage.used('memory', a, 'none yet')).toBe(1n + 10n)
  // For target c, target a uses the largest amount among its types. So c sees no change when a releases its small type, and sees a smaller
  // amount when a releases its large type.
  usage.release(a, 'small')
  expect(usage.used('memory', c, 'any')).toBe(17n)
  take(a, 'small', 2n)
  usage.release(a, 'large')
  expect(usage.used('memory', c, 'any')).toBe(13n)
  usage.release(a, 'small')
  usage.release(a, 'unheard of')
  expect(usage.used('memory', c, 'any')).toBe(11n)
  expect(usage.used('nothing', c, 'any')).toBe(0n)
})
