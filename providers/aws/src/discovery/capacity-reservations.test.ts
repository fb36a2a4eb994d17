import type { CapacityReservation } from '@aws-sdk/client-ec2'
import { RecordingLogger, VirtualClock } from '@kerf/runtime'
import { expect, test, vi } from 'vitest'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { reservation } from '../testing/reservation.ts'
import { CapacityReservations } from './capacity-reservations.ts'

// See `providers/aws/docs/spec/aws.md#capacity-reservations`.

const never = new AbortController().signal
const MINUTE = 60_000

/** A reservation with the tag of team a. */
const tagged = (id: string, more: Partial<CapacityReservation> = {}): CapacityReservation =>
  reservation({ CapacityReservationId: id, Tags: [{ Key: 'team', Value: 'a' }], ...more })

const harness = (...reservations: readonly CapacityReservation[]) => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  ec2.reservations = [...reservations]
  const log = new RecordingLogger()
  const found = new CapacityReservations({ ec2, clock, log })
  type Terms = Parameters<CapacityReservations['find']>[0]
  const idsOf = async (...terms: Terms) => (await found.find(terms, never)).map(({ id }) => id)
  return { clock, ec2, log, found, idsOf, asked: () => ec2.faults.count('describeCapacityReservations') }
}

test('a reservation is returned in the form of the class status', async () => {
  const { found } = harness(tagged('cr-1'))
  expect(await found.find([{ id: 'cr-1' }], never)).toEqual([
    {
      id: 'cr-1',
      availabilityZone: 'us-east-1a',
      instanceMatchCriteria: 'targeted',
      instanceType: 'm5.large',
      ownerID: '123456789012',
      reservationType: 'default',
      interruptible: false,
      state: 'active',
    },
  ])
})

test('interruptible reservations, blocks and their end are returned; a missing owner becomes empty, and a missing end means no end', async () => {
  const { clock, found } = harness()
  const end = new Date(clock.now() + 3_600_000)
  const { found: other } = harness(
    tagged('cr-1', { Interruptible: true, InstanceMatchCriteria: 'open', OwnerId: undefined }),
    tagged('cr-2', { ReservationType: 'capacity-block', EndDate: end }),
  )
  expect(found.left('cr-1')).toBe(0)
  expect(await other.find([{ id: 'cr-2' }, { id: 'cr-1' }], never)).toMatchObject([
    { id: 'cr-1', interruptible: true, instanceMatchCriteria: 'open', ownerID: '' },
    { id: 'cr-2', reservationType: 'capacity-block', state: 'active', endTime: end.toISOString().replace('.000', '') },
  ])
})

test('terms are alternatives, and all fields of a term must match', async () => {
  const { idsOf } = harness(
    tagged('cr-3'),
    tagged('cr-1', { OwnerId: '999999999999' }),
    tagged('cr-2', { Tags: [{ Key: 'team', Value: 'b' }] }),
    tagged('cr-4', { InstanceMatchCriteria: 'open', Tags: [] }),
  )
  expect(await idsOf({ tags: { team: 'a' } })).toEqual(['cr-1', 'cr-3'])
  expect(await idsOf({ tags: { team: '*' }, ownerID: '123456789012' })).toEqual(['cr-2', 'cr-3'])
  expect(await idsOf({ instanceMatchCriteria: 'open' })).toEqual(['cr-4'])
  expect(await idsOf({ id: 'cr-4' }, { tags: { team: 'b' } }, { id: 'cr-4' })).toEqual(['cr-2', 'cr-4'])
})

test('ended or incomplete reservations are left out; one of an unknown type is kept', async () => {
  const { clock, log, idsOf } = harness()
  const ended = harness(
    tagged('cr-1', { EndDate: new Date(clock.now()) }),
    tagged('cr-2', { EndDate: new Date(clock.now() + 1) }),
    tagged('cr-3', { AvailabilityZone: undefined }),
    tagged('cr-4', { InstanceType: undefined }),
    tagged('cr-5', { CapacityReservationId: undefined }),
    tagged('cr-6', { InstanceMatchCriteria: 'strange' as 'open' }),
    tagged('cr-7', { ReservationType: 'strange' as 'default' }),
  )
  expect(await ended.idsOf({ tags: { team: 'a' } })).toEqual(['cr-2'])
  expect(ended.log.lines.map(({ level, fields }) => [level, fields['id']])).toEqual([
    ['error', 'cr-6'],
    ['error', 'cr-7'],
  ])
  expect([await idsOf(), log.lines]).toEqual([[], []])
})

test('a block expires 40 minutes before its end, and other reservations do not expire', async () => {
  const { clock } = harness()
  const inMinutes = (minutes: number) => new Date(clock.now() + minutes * MINUTE)
  const block = { ReservationType: 'capacity-block' as const }
  const { found } = harness(
    tagged('cr-1', { ...block, EndDate: inMinutes(40) }),
    tagged('cr-2', { ...block, EndDate: new Date(inMinutes(40).getTime() + 1) }),
    tagged('cr-3', { EndDate: inMinutes(1) }),
    tagged('cr-4', block),
  )
  const states = (await found.find([{ tags: { team: 'a' } }], never)).map(({ id, state }) => `${id} ${state}`)
  expect(states).toEqual(['cr-1 expiring', 'cr-2 active', 'cr-3 active', 'cr-4 active'])
})

test('a query is sent at most once a minute, and afterwards the free capacity in its result is known', async () => {
  const { clock, ec2, found, asked } = harness(tagged('cr-1'))
  const terms = [{ id: 'cr-1' }]
  expect([found.isCounted('cr-1'), found.left('cr-1')]).toEqual([false, 0])
  await found.find(terms, never)
  expect([found.isCounted('cr-1'), found.left('cr-1')]).toEqual([true, 3])
  ec2.reservations = [tagged('cr-1', { AvailableInstanceCount: undefined })]
  await clock.advance(MINUTE - 1)
  await found.find(terms, never)
  expect([asked(), found.left('cr-1')]).toEqual([1, 3])
  await clock.advance(1)
  await found.find(terms, never)
  expect([asked(), found.left('cr-1')]).toEqual([2, 0])
})

test('launches and terminations since the last reading are counted, and each changes the sequence', async () => {
  const { clock, found } = harness(tagged('cr-1', { AvailableInstanceCount: 1 }))
  found.launched('cr-1')
  found.terminated('cr-1')
  expect([found.isCounted('cr-1'), found.sequence]).toEqual([false, 0])
  await found.find([{ id: 'cr-1' }], never)
  const before = found.sequence
  // The launch happened at the same moment as the reading, so EC2's response already includes it.
  found.launched('cr-1')
  expect([found.left('cr-1'), found.sequence - before]).toEqual([1, 0])
  await clock.advance(1)
  found.launched('cr-1')
  expect([found.left('cr-1'), found.sequence - before]).toEqual([0, 1])
  found.launched('cr-1')
  expect([found.left('cr-1'), found.sequence - before]).toEqual([0, 1])
  found.terminated('cr-1')
  expect([found.left('cr-1'), found.sequence - before]).toEqual([1, 2])
  found.exhausted('cr-1')
  expect([found.left('cr-1'), found.sequence - before]).toEqual([0, 3])
  found.exhausted('cr-1')
  expect(found.sequence - before).toBe(3)
  found.exhausted('cr-2')
  expect(found.isCounted('cr-2')).toBe(true)
})

test('free capacity is remembered for a day', async () => {
  const { clock, found } = harness(tagged('cr-1'))
  await found.find([{ id: 'cr-1' }], never)
  await clock.advance(24 * 60 * MINUTE - 1)
  expect(found.isCounted('cr-1')).toBe(true)
  await clock.advance(1)
  expect(found.isCounted('cr-1')).toBe(false)
})

test('an ID that EC2 does not know is not an error, but any other failure is', async () => {
  const { ec2, idsOf } = harness(tagged('cr-1'))
  ec2.faults.next('describeCapacityReservations', { code: 'InvalidCapacityReservationId.NotFound' })
  expect(await idsOf({ id: 'cr-9' }, { id: 'cr-1' })).toEqual(['cr-1'])
  ec2.faults.next('describeCapacityReservations', { code: 'UnauthorizedOperation', status: 403 })
  await expect(idsOf({ id: 'cr-2' })).rejects.toThrow('UnauthorizedOperation')
})

test('an id is requested directly, without filters', async () => {
  const { ec2, idsOf } = harness(tagged('cr-1'))
  const query = vi.spyOn(ec2, 'describeCapacityReservations')
  await idsOf({ id: 'cr-1', tags: { team: 'b' } }, {})
  expect(query.mock.calls.map(([asked]) => asked)).toEqual([{ id: 'cr-1' }, { filters: [] }])
})
