import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { expect, test, vi } from 'vitest'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { describeBatches, taggedBatches } from './instance-batches.ts'

const never = new AbortController().signal
/**
 * Every state except `terminated`, which EC2 lists for an hour after termination (`providers/aws/docs/spec/aws.md#instances`;
 * `InstanceStateName` in EC2's API model).
 */
const ALIVE = ['pending', 'running', 'stopping', 'stopped', 'shutting-down']

test('descriptions include every instance state; searches by tag include only instances that exist', async () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  const deps = { clock, metrics: new PrometheusMetrics() }
  const id = ec2.plant({ name: 'a' })
  const query = vi.spyOn(ec2, 'describeInstances')
  const answers = [
    describeBatches(ec2, deps).add(id, never),
    taggedBatches(ec2, deps, []).add({ tag: 'name', value: 'a', shared: 'b' }, never),
  ]
  await clock.advance(100)
  await Promise.all(answers)
  const states = query.mock.calls.map(
    ([{ filters }]) => filters.find(({ Name }) => Name === 'instance-state-name')?.Values,
  )
  expect(states.map((each) => each?.toSorted())).toEqual([[...ALIVE, 'terminated'].toSorted(), ALIVE.toSorted()])
})
