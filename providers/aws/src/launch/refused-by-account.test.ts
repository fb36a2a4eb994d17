import { labels } from '@kerf/apis'
import { offeringCoordinates } from '@kerf/provider-contract'
import { expect, onTestFinished, test } from 'vitest'
import { DENIED_TTL, INSUFFICIENT_CAPACITY_TTL } from '../offerings/insufficient-capacity.ts'
import { vcpuQuotaCode } from '../offerings/vcpu-quotas.ts'
import { createAwsHarness, never } from '../testing/aws-harness.ts'
import { is } from '../testing/offered-type.ts'

// See `providers/aws/docs/spec/aws.md#policies` and `providers/aws/docs/spec/aws.md#quotas`.

const harness = async () => {
  const aws = await createAwsHarness()
  onTestFinished(() => aws.stop())
  /** Returns the available offerings. */
  const open = async () =>
    (await aws.provider.instanceTypes(aws.pool(), never)).flatMap((type) =>
      type.offerings.filter(({ available }) => available).map((offering) => offeringCoordinates(type, offering)),
    )
  const create = async (name: string, capacityType: 'spot' | 'on-demand', ...types: readonly string[]) =>
    aws.provider.create(
      await aws.claim(name, {
        requirements: [
          is(labels.capacityType, capacityType),
          { key: labels.instanceType, operator: 'In', values: types },
        ],
      }),
      never,
    )
  return { ...aws, open, create }
}

test.each([
  ['MaxSpotInstanceCountExceeded', 'spot'],
  ['VcpuLimitExceeded', 'on-demand'],
] as const)('%s makes only the types of the same quota unavailable, for a while', async (code, capacityType) => {
  const { aws, clock, open, create } = await harness()
  const before = await open()
  aws.ec2.shortage = code
  aws.ec2.stockOuts.push({ capacityType })
  await expect(create('a', capacityType, 'm5.large')).rejects.toThrow(code)
  const isOut = (each: (typeof before)[number]) =>
    each.capacityType === capacityType && vcpuQuotaCode(each.instanceType, capacityType) === 'Standard'
  const after = await open()
  expect(after).toEqual(before.filter((each) => !isOut(each)))
  expect(after.some((each) => each.capacityType === capacityType)).toBe(true)
  await clock.advance(INSUFFICIENT_CAPACITY_TTL)
  expect((await open()).length).toBe(before.length)
})

const denied = {
  code: 'UnauthorizedOperation',
  status: 403,
  message:
    'You are not authorized to perform this operation. User: arn:aws:sts::123456789012:assumed-role/k/1 is not authorized to perform: ec2:RunInstances on resource: arn:aws:ec2:us-east-1:123456789012:instance/* with an explicit deny in a service control policy. Encoded authorization failure message: abc',
}

test('a type that a policy denies is not used in the next launch, and is available again later or for a changed class', async () => {
  const { aws, clock, open, create, change } = await harness()
  aws.ec2.policy = ({ type }) => (type === 'm5.large' ? denied : undefined)
  const types = async () => new Set((await open()).map(({ instanceType }) => instanceType))
  const offered = await types()
  await expect(create('a', 'on-demand', 'm5.large')).rejects.toThrow(/m5\.large: a service control policy denies/)
  expect(
    (await open()).filter(
      ({ instanceType, capacityType }) => instanceType === 'm5.large' && capacityType === 'on-demand',
    ),
  ).toEqual([])
  const { labels: made } = await create('b', 'on-demand', 'm5.large', 'm5.xlarge')
  expect(made[labels.instanceType]).toBe('m5.xlarge')
  // A policy may depend on properties of the node class, so Kerf tries a changed class again.
  await change({ tags: { team: 'a' } })
  expect(
    (await open()).some(
      ({ instanceType, capacityType }) => instanceType === 'm5.large' && capacityType === 'on-demand',
    ),
  ).toBe(true)
  await expect(create('c', 'on-demand', 'm5.large')).rejects.toThrow('m5.large')
  aws.ec2.policy = undefined
  await clock.advance(DENIED_TTL)
  expect(await types()).toEqual(offered)
})

test('a call that is refused as a whole makes the cheapest type unavailable, or the subnet that it names', async () => {
  const { aws, open, create } = await harness()
  aws.ec2.faults.next('createFleet', denied)
  const { labels: made } = await create('a', 'on-demand', 'm5.large', 'm5.xlarge')
  expect(made[labels.instanceType]).toBe('m5.xlarge')
  aws.ec2.faults.next('createFleet', {
    ...denied,
    message: denied.message.replace('ec2:RunInstances', 'ec2:CreateFleet').replace('instance/*', 'subnet/subnet-a'),
  })
  const second = await create('b', 'on-demand', 'm5.xlarge')
  expect(second.labels[labels.zone]).not.toBe('us-east-1a')
  expect((await open()).some(({ zone }) => zone === 'us-east-1a')).toBe(false)
})
