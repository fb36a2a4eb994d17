import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { InsufficientCapacity } from './insufficient-capacity.ts'

const TTL = 60_000
const offering = { capacityType: 'spot', instanceType: 'small', zone: 'a' } as const

const harness = () => {
  const clock = new VirtualClock()
  return { clock, out: new InsufficientCapacity(clock, { ttl: TTL }) }
}

test('an entry without a scope applies in every scope; an entry in a scope applies only there', () => {
  const { out } = harness()
  out.markOffering(offering, 'rack is full', 'rack-1')
  expect(out.reasonFor(offering)).toBeUndefined()
  expect(out.reasonFor(offering, { scopes: ['rack-2'] })).toBeUndefined()
  expect(out.reasonFor(offering, { scopes: ['hall', 'rack-1'] })).toBe('rack is full')
  out.markOffering({ capacityType: 'spot' }, 'no spot')
  expect([out.reasonFor(offering), out.reasonFor(offering, { scopes: ['rack-1'] })]).toEqual(['no spot', 'no spot'])
  expect(out.reasonFor({ ...offering, capacityType: 'on-demand' })).toBeUndefined()
})

test('a zone is unavailable if all its usable subnets are unavailable', () => {
  const { out } = harness()
  out.markSubnet('subnet-1', 'full')
  expect([out.isSubnetOut('subnet-1'), out.isSubnetOut('subnet-2')]).toEqual([true, false])
  expect(out.reasonFor(offering, { subnets: ['subnet-1', 'subnet-2'] })).toBeUndefined()
  expect(out.reasonFor(offering, { subnets: [] })).toBeUndefined()
  out.markSubnet('subnet-2', 'full')
  expect(out.reasonFor(offering, { subnets: ['subnet-1', 'subnet-2'] })).toBe('no usable subnet in a: full')
})

test('every kind of entry expires, and the sequence changes with each change of entries', async () => {
  const { clock, out } = harness()
  const sequences = [out.sequence]
  out.markOffering(offering, 'full')
  sequences.push(out.sequence)
  out.markOffering(offering, 'full', 'rack-1')
  sequences.push(out.sequence)
  out.markSubnet('subnet-1', 'full')
  sequences.push(out.sequence)
  await clock.advance(TTL)
  sequences.push(out.sequence)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
  expect(out.reasonFor(offering, { scopes: ['rack-1'], subnets: ['subnet-1'] })).toBeUndefined()
})
