import { VirtualClock } from '@kerf/runtime'
import { beforeEach, expect, test } from 'vitest'
import type { DescribedVSwitch } from '../api/actions.ts'
import { VSwitchAddresses } from './vswitch-addresses.ts'

let clock: VirtualClock
let addresses: VSwitchAddresses
beforeEach(() => {
  clock = new VirtualClock()
  addresses = new VSwitchAddresses(clock)
})
const learn = (free: Readonly<Record<string, number>>): void =>
  addresses.learn(
    Object.entries(free).map(
      ([VSwitchId, AvailableIpAddressCount]) => ({ VSwitchId, AvailableIpAddressCount }) as DescribedVSwitch,
    ),
  )

test('the vSwitch with the most free addresses is used, and launches use up its addresses', () => {
  learn({ a: 30, b: 20 })
  expect(addresses.largest(['a', 'b'])).toBe('a')
  addresses.take('a', 11)
  expect(addresses.largest(['a', 'b'])).toBe('b')
  learn({ a: 0, b: 0 })
  expect(addresses.largest(['a', 'b'])).toBeUndefined()
  expect(addresses.largest(['a', 'unknown'])).toBe('unknown')
})

test('a vSwitch that a launch found full is not used for 30 seconds, even if the API returns free addresses', async () => {
  learn({ a: 30, b: 20 })
  addresses.markFull('a')
  learn({ a: 30, b: 20 })
  expect(addresses.largest(['a', 'b'])).toBe('b')
  await clock.advance(29_999)
  expect(addresses.largest(['a', 'b'])).toBe('b')
  await clock.advance(1)
  expect(addresses.largest(['a', 'b'])).toBe('a')
})
