import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { ec2Type } from '../testing/type-table.ts'
import { RegionTypes } from './region-types.ts'

// See `providers/aws/docs/spec/aws.md#instance-types`.

const DAY = 24 * 3_600_000
const never = new AbortController().signal

test('if a type, or a zone of a type, is missing in a response, it is kept for a day', async () => {
  const clock = new VirtualClock()
  const [m5, c5] = [ec2Type('m5.large'), ec2Type('c5.large')]
  const offered = (type: 'm5.large' | 'c5.large', zone: string) => ({ InstanceType: type, Location: zone })
  let answer: readonly [named: readonly (typeof m5)[], offerings: readonly ReturnType<typeof offered>[]] = [[], []]
  const ec2 = {
    describeInstanceTypes: async () => answer[0],
    describeInstanceTypeOfferings: async () => answer[1],
  }
  const types = new RegionTypes(ec2, clock)
  const read = async (
    named: readonly (typeof m5)[],
    offerings: readonly ReturnType<typeof offered>[],
  ): Promise<readonly string[]> => {
    answer = [named, offerings]
    await types.read(never)
    return types.types.map(({ InstanceType: name = '' }) => `${name} ${[...types.offeredIn(name)].sort().join('')}`)
  }
  const all = [offered('m5.large', 'a'), offered('m5.large', 'b'), offered('c5.large', 'a')]
  const whole = ['c5.large a', 'm5.large ab']
  expect(await read([m5, c5], all)).toEqual(whole)
  const before = types.sequence
  expect(await read([m5], all.slice(0, 1))).toEqual(whole)
  expect(types.sequence).toBe(before)
  await clock.advance(DAY)
  expect(await read([], [])).toEqual(whole)
  expect(await read([m5], all.slice(0, 1))).toEqual(['m5.large a'])
  expect(types.sequence).not.toBe(before)
})
