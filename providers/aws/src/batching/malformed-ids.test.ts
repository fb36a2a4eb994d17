import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { describeBatches, terminateBatches } from './instance-batches.ts'

const never = new AbortController().signal

test('an ID that EC2 calls malformed has no instance, and does not affect other IDs', async () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  const deps = { clock, metrics: new PrometheusMetrics() }
  const [id, odd] = [ec2.plant({}), 'i-nonsense']
  const [describe, terminate] = [describeBatches(ec2, deps), terminateBatches(ec2, deps)]
  const found = Promise.all([id, odd].map((each) => describe.add(each, never)))
  await clock.advance(100)
  expect((await found).map((each) => each?.InstanceId)).toEqual([id, undefined])
  const ended = Promise.all([id, odd].map((each) => terminate.add(each, never)))
  await clock.advance(100)
  expect(await ended).toEqual([true, false])
})
