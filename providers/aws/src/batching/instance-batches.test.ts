import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { expect, test, vi } from 'vitest'
import type { Ec2Api } from '../api/aws-api.ts'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { describeBatches, taggedBatches, terminateBatches } from './instance-batches.ts'

const never = new AbortController().signal
const UNKNOWN = 'i-00000000000000fff'

const harness = () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 4_000 })
  const metrics = new PrometheusMetrics()
  const deps = { clock, metrics }
  return { clock, ec2, metrics, deps, calls: (...names: readonly string[]): number => ec2.faults.count(...names) }
}

const instanceIds = (instances: readonly { readonly InstanceId?: string | undefined }[]) =>
  instances.map(({ InstanceId }) => InstanceId)

test('descriptions wait 100 ms for others, at most one second, and are sent immediately when there are 500', async () => {
  const { clock, ec2, deps, calls } = harness()
  const describe = describeBatches(ec2, deps)
  const id = ec2.plant({})
  const first = describe.add(id, never)
  await clock.advance(99)
  expect(calls('describeInstances')).toBe(0)
  await clock.advance(1)
  expect((await first)?.InstanceId).toBe(id)

  const trickle = [describe.add(id, never)]
  for (let passed = 0; passed < 960; passed += 60) {
    await clock.advance(60)
    trickle.push(describe.add(id, never))
  }
  await clock.advance(39)
  expect(calls('describeInstances')).toBe(1)
  await clock.advance(1)
  expect(calls('describeInstances')).toBe(2)
  await Promise.all(trickle)

  const full = Promise.all(Array.from({ length: 500 }, () => describe.add(id, never)))
  expect(await full).toHaveLength(500)
  expect(calls('describeInstances')).toBe(3)
})

test('an instance is described in every state; an instance that EC2 does not know gives undefined', async () => {
  const { clock, ec2, deps } = harness()
  const describe = describeBatches(ec2, deps)
  const [ended, ending, runs] = [ec2.plant({}), ec2.plant({}), ec2.plant({})]
  await Promise.all([ec2.terminateInstances([ended], never), clock.advance(4_000)])
  await ec2.terminateInstances([ending], never)
  const query = vi.spyOn(ec2, 'describeInstances')
  const answers = Promise.all([ended, ending, runs, UNKNOWN].map((id) => describe.add(id, never)))
  await clock.advance(100)
  expect((await answers).map((found) => found?.State?.Name)).toEqual([
    'terminated',
    'shutting-down',
    'running',
    undefined,
  ])
  // Without a filter, a call counts against the smaller bucket of unfiltered reads (EC2 Developer Guide, throttling).
  for (const [{ filters }] of query.mock.calls) expect(filters.map(({ Name }) => Name)).toEqual(['instance-state-name'])
})

test('a search by tag returns the live instances with its values, and not those of other searches', async () => {
  const { clock, ec2, deps, calls } = harness()
  const tagged = taggedBatches(ec2, deps, [{ Name: 'tag-key', Values: ['ours'] }])
  const of = (name: string): string => ec2.plant({ ours: '', name })
  const [dotted, plain, other, foreign] = [of('a.b'), of('axb'), of('c'), ec2.plant({ name: 'c' })]
  const ending = of('c')
  await ec2.terminateInstances([ending], never)
  const gone = of('c')
  ec2.end(gone)
  const wanted = ['a.b', 'a?b', 'c', 'd', 'a*'].map((value) =>
    tagged.add({ tag: 'name', value, shared: 'nobody' }, never),
  )
  await clock.advance(100)
  const found = (await Promise.all(wanted)).map(instanceIds)
  expect(found).toEqual([[dotted], [dotted, plain], expect.arrayContaining([other, ending]), [], [dotted, plain]])
  expect(found.flat()).not.toContain(foreign)
  expect(calls('listInstances')).toBe(1)
})

test('searches for different tags, or with different shared values, use separate calls', async () => {
  const { clock, ec2, deps, calls } = harness()
  const tagged = taggedBatches(ec2, deps, [])
  const [named, teamed] = [ec2.plant({ name: 'a' }), ec2.plant({ team: 'a' })]
  const wanted = [
    tagged.add({ tag: 'name', value: 'a', shared: 'x' }, never),
    tagged.add({ tag: 'team', value: 'a', shared: 'x' }, never),
    tagged.add({ tag: 'name', value: 'b', shared: 'a' }, never),
  ]
  await clock.advance(100)
  expect((await Promise.all(wanted)).map(instanceIds)).toEqual([[named], [teamed], [named]])
  expect(calls('listInstances')).toBe(3)
})

test('a search has at most as many values as EC2 accepts in one filter: 199 own values and the shared one', async () => {
  const { clock, ec2, deps, calls } = harness()
  const tagged = taggedBatches(ec2, deps, [])
  const ask = (index: number) => tagged.add({ tag: 'name', value: `claim-${index}`, shared: 'all' }, never)
  const id = ec2.plant({ name: 'claim-198' })
  const answers = Promise.all(Array.from({ length: 199 }, (_, index) => ask(index)))
  expect(calls('listInstances')).toBe(1)
  await clock.advance(100)
  expect((await answers).flatMap(instanceIds)).toEqual([id])
  expect(calls('listInstances')).toBe(1)
})

test('a termination returns whether EC2 knows the instance; if EC2 does not mention the instance, the termination fails', async () => {
  const { clock, ec2, deps } = harness()
  const terminate = terminateBatches(ec2, deps)
  const id = ec2.plant({})
  const answers = Promise.all([id, UNKNOWN].map((each) => terminate.add(each, never)))
  await clock.advance(100)
  expect(await answers).toEqual([true, false])

  // The SDK's model declares the state in the response as optional.
  const silent = ec2.plant({})
  const order = vi
    .spyOn<Ec2Api, 'terminateInstances'>(ec2, 'terminateInstances')
    .mockResolvedValue([{ InstanceId: silent }])
  const refused = terminate.add(silent, never).catch((error: unknown) => error)
  await clock.advance(100)
  expect(String(await refused)).toContain(`EC2 did not confirm the termination of instance ${silent}`)
  expect(order).toHaveBeenCalledTimes(1)
})

test.each([
  ['throttling', 'RequestLimitExceeded', 503, 1],
  ['wrong credentials', 'AuthFailure', 401, 1],
  ['a refused account', 'OptInRequired', 401, 1],
  ['an outage of EC2', 'InternalError', 500, 1 + 2 + 4],
  ['a refused permission', 'UnauthorizedOperation', 403, 2 * 16 - 1],
])('%s: how many calls are made until every request has failed', async (_, code, status, count) => {
  const { clock, ec2, deps, calls } = harness()
  const terminate = terminateBatches(ec2, deps)
  const ids = Array.from({ length: 16 }, () => ec2.plant({}))
  ec2.faults.standing('terminateInstances', { code, status })
  const answers = Promise.allSettled(ids.map((id) => terminate.add(id, never)))
  await clock.advance(100)
  expect((await answers).map((answer) => answer.status)).toEqual(ids.map(() => 'rejected'))
  expect(calls('terminateInstances')).toBe(count)
})

test('batch metrics have the name of the request', async () => {
  const { clock, ec2, deps, metrics } = harness()
  const id = ec2.plant({ name: 'a' })
  const all = [
    describeBatches(ec2, deps).add(id, never),
    taggedBatches(ec2, deps, []).add({ tag: 'name', value: 'a', shared: 'b' }, never),
    terminateBatches(ec2, deps).add(id, never),
  ]
  await clock.advance(100)
  await Promise.all(all)
  const text = await metrics.text()
  for (const name of ['describe_instances', 'describe_tagged_instances', 'terminate_instances'])
    expect(text).toContain(`karpenter_cloudprovider_batcher_batch_size_count{batcher="${name}"} 1`)
})
