import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { ec2Filter } from '../../api/aws-api.ts'
import { FakeAws } from './fake-aws.ts'

const never = new AbortController().signal

const harness = () => {
  const clock = new VirtualClock()
  return { clock, aws: new FakeAws(clock, { terminationDelay: 0, kubernetes: '1.36' }) }
}

/** Makes `count` concurrent calls and returns how many of them are refused. */
const refused = async (count: number, call: () => Promise<unknown>): Promise<number> => {
  const results = await Promise.allSettled(Array.from({ length: count }, call))
  return results.filter(({ status }) => status === 'rejected').length
}

test('EC2 refuses requests beyond the bucket of an action, which refills', async () => {
  const { clock, aws } = harness()
  const list = () => aws.ec2.describeInstances({ filters: [ec2Filter('tag-key', 'a')] }, never)
  expect(await refused(130, list)).toBe(30)
  await expect(list()).rejects.toMatchObject({
    Code: 'RequestLimitExceeded',
    $metadata: { httpStatusCode: 503 },
  })
  // Another action has its own bucket.
  expect(await refused(1, () => aws.ec2.describeSubnets([], never))).toBe(0)
  await clock.advance(1_000)
  expect(await refused(25, list)).toBe(5)
  await clock.advance(60_000)
  expect(await refused(101, list)).toBe(1)
})

test('a request without filter and page size has a smaller bucket, and launches count by their number of instances', async () => {
  const { aws } = harness()
  const id = aws.ec2.plant({})
  expect(await refused(60, () => aws.ec2.describeInstances({ ids: [id], filters: [] }, never))).toBe(10)
  const dryRun = await Promise.allSettled(
    Array.from({ length: 7 }, () => aws.ec2.tryRunInstances({ MinCount: 1, MaxCount: 1 }, never)),
  )
  const codes = dryRun.map((each) => (each.status === 'rejected' ? Reflect.get(each.reason, 'Code') : ''))
  expect(codes.filter((code) => code === 'RequestLimitExceeded')).toHaveLength(2)
  expect(aws.requests.takeResources('RunInstances', 1_000)).toBe(true)
  expect(aws.requests.takeResources('RunInstances', 1)).toBe(false)
})

test('a list of several pages is several requests', async () => {
  const { aws } = harness()
  for (let count = 0; count < 2_001; count++) aws.ec2.plant({ a: 'b' })
  expect(await aws.ec2.describeInstances({ filters: [ec2Filter('tag-key', 'a')] }, never)).toHaveLength(2_001)
  expect([...aws.requests.counts()]).toEqual([['ec2:DescribeInstances', 3]])
})

test('a filter accepts at most 200 values', async () => {
  const { aws } = harness()
  const values = Array.from({ length: 201 }, (_, index) => `v${index}`)
  await expect(aws.ec2.describeInstances({ filters: [ec2Filter('tag:a', ...values)] }, never)).rejects.toMatchObject({
    Code: 'FilterLimitExceeded',
  })
})

test('Systems Manager has its own limit and its own error', async () => {
  const { aws } = harness()
  const [name = ''] = aws.ssm.parameters.keys()
  expect(await refused(45, () => aws.ssm.getParameter(name, never))).toBe(5)
  await expect(aws.ssm.getParameter(name, never)).rejects.toMatchObject({ name: 'ThrottlingException' })
})

test('a drained bucket refuses requests until the time is over, and refills at its rate', async () => {
  const { clock, aws } = harness()
  const list = () => aws.ec2.describeInstances({ filters: [ec2Filter('tag-key', 'a')] }, never)
  aws.requests.drain({ service: 'EC2', action: 'DescribeInstances' }, 10_000)
  expect(await refused(1, list)).toBe(1)
  await clock.advance(9_999)
  expect(await refused(1, list)).toBe(1)
  expect(await refused(1, () => aws.ec2.describeSubnets([], never))).toBe(0)
  await clock.advance(1_001)
  expect(await refused(25, list)).toBe(5)
})

test('tags become visible late if configured, also to filters', async () => {
  const { clock, aws } = harness()
  const id = aws.ec2.plant({ a: '1' })
  aws.ec2.tagsUnseenFor = 5_000
  await aws.ec2.createTags([id], [{ Key: 'b', Value: '2' }], never)
  const tagged = async () => (await aws.ec2.describeInstances({ filters: [ec2Filter('tag:b', '2')] }, never)).length
  expect(await tagged()).toBe(0)
  expect((await aws.ec2.describeInstances({ ids: [id], filters: [] }, never))[0]?.Tags).toEqual([
    { Key: 'a', Value: '1' },
  ])
  await clock.advance(5_000)
  expect(await tagged()).toBe(1)
})
