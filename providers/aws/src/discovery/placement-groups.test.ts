import { isNotKnownYet } from '@kerf/provider-contract'
import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { PlacementGroups } from './placement-groups.ts'

// See `providers/aws/docs/spec/aws.md#placement-groups`.

const never = new AbortController().signal
const MINUTE = 60_000
const NEAR = { name: 'near' }
const refused = { code: 'RequestLimitExceeded', status: 503 }

const harness = () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  ec2.placementGroups = [
    { GroupId: 'pg-1', GroupName: 'near', Strategy: 'cluster', State: 'available' },
    { GroupId: 'pg-2', GroupName: 'far', Strategy: 'partition', PartitionCount: 7, State: 'available' },
    { GroupId: 'pg-3', GroupName: 'leaving', Strategy: 'spread', State: 'deleting' },
    { GroupId: 'pg-4', GroupName: 'odd', Strategy: 'strange' as 'spread', State: 'available' },
    { GroupId: 'pg-5', GroupName: 'apart', Strategy: 'spread', State: 'available' },
    { GroupName: 'nameless', Strategy: 'spread', State: 'available' },
  ]
  const groups = new PlacementGroups(ec2, clock)
  return { clock, ec2, groups, asked: () => ec2.faults.count('describePlacementGroups') }
}

test('a group is found by name or id; an unusable group is not found', async () => {
  const { groups } = harness()
  expect(await groups.find(NEAR, never)).toEqual({ id: 'pg-1', strategy: 'cluster' })
  expect(await groups.find({ id: 'pg-2' }, never)).toEqual({ id: 'pg-2', strategy: 'partition', partitions: 7 })
  expect(await groups.find({ name: 'apart' }, never)).toEqual({ id: 'pg-5', strategy: 'spread' })
  for (const name of ['leaving', 'odd', 'nameless', 'none']) expect(await groups.find({ name }, never)).toBeUndefined()
  expect(await groups.find({ id: 'near' }, never)).toBeUndefined()
})

test('EC2 is asked once a minute for each selector, however many callers need the group', async () => {
  const { clock, ec2, groups, asked } = harness()
  const found = await Promise.all([NEAR, NEAR, { id: 'pg-1' }].map((selector) => groups.find(selector, never)))
  expect(found.map((each) => each?.id)).toEqual(['pg-1', 'pg-1', 'pg-1'])
  expect(asked()).toBe(2)
  ec2.placementGroups = []
  await clock.advance(MINUTE - 1)
  expect(await groups.find(NEAR, never)).toBeDefined()
  await clock.advance(1)
  expect(await groups.find(NEAR, never)).toBeUndefined()
  expect(await groups.find(NEAR, never)).toBeUndefined()
  expect([asked(), groups.known(NEAR)]).toEqual([3, undefined])
})

test('a refusal is cached for five seconds, and known groups are kept', async () => {
  const { clock, ec2, groups, asked } = harness()
  await groups.find(NEAR, never)
  await clock.advance(MINUTE)
  ec2.faults.next('describePlacementGroups', refused)
  for (let times = 0; times < 3; times++) await expect(groups.find(NEAR, never)).rejects.toThrow('RequestLimitExceeded')
  expect([asked(), groups.known(NEAR)?.id]).toEqual([2, 'pg-1'])
  await clock.advance(4_999)
  await expect(groups.find(NEAR, never)).rejects.toThrow('RequestLimitExceeded')
  await clock.advance(1)
  expect(await groups.find(NEAR, never)).toBeDefined()
})

test('a group that was found stays known for a day, even while EC2 does not respond', async () => {
  const { clock, ec2, groups } = harness()
  expect([groups.known(NEAR), groups.known(undefined)]).toEqual([undefined, undefined])
  await groups.find(NEAR, never)
  ec2.faults.standing('describePlacementGroups', refused)
  await clock.advance(24 * 60 * MINUTE - 1)
  expect(groups.known(NEAR)?.id).toBe('pg-1')
  expect((await groups.need(NEAR, never))?.id).toBe('pg-1')
  await clock.advance(1)
  expect(groups.known(NEAR)).toBeUndefined()
})

test('an abort by the first caller does not affect the others', async () => {
  const { groups, asked } = harness()
  const stop = new AbortController()
  const outcomes = Promise.allSettled([groups.find(NEAR, stop.signal), groups.find(NEAR, never)])
  stop.abort(new Error('enough'))
  expect(await outcomes).toMatchObject([
    { status: 'rejected', reason: { message: 'enough' } },
    { status: 'fulfilled', value: { id: 'pg-1' } },
  ])
  expect(asked()).toBe(1)
})

test('the required group is known, is requested, or is an error; without a selector no group is required', async () => {
  const { clock, ec2, groups, asked } = harness()
  expect(await groups.need(undefined, never)).toBeUndefined()
  expect(asked()).toBe(0)
  ec2.faults.next('describePlacementGroups', { code: 'UnauthorizedOperation', status: 403 })
  const failure = await groups.need(NEAR, never).catch((error: unknown) => error)
  expect(isNotKnownYet(failure)).toBe(true)
  expect(String(failure)).toContain('near (UnauthorizedOperation)')
  await clock.advance(5_000)
  expect((await groups.need(NEAR, never))?.id).toBe('pg-1')
  expect((await groups.need(NEAR, never))?.id).toBe('pg-1')
  expect(asked()).toBe(2)
  const missing = await groups.need({ id: 'pg-9' }, never).catch((error: unknown) => error)
  expect(isNotKnownYet(missing)).toBe(true)
  expect(String(missing)).toContain('pg-9')
  const stop = new AbortController()
  stop.abort(new Error('enough'))
  await expect(groups.need({ name: 'far' }, stop.signal)).rejects.toThrow('enough')
})
