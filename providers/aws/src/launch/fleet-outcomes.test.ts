import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { type FleetRequest, Fleets } from './fleets.ts'

// See `providers/aws/docs/spec/aws.md#batching`.

const never = new AbortController().signal

const requestFor = (uid: string): FleetRequest => ({
  claim: { uid, name: `claim-${uid}` },
  context: {
    capacityType: 'on-demand',
    tenancy: 'default',
    classScope: 'class uid-1',
    group: undefined,
    partition: undefined,
    candidates: [],
    subnets: [],
    asked: [],
  },
  input: {
    Type: 'instant',
    LaunchTemplateConfigs: [
      {
        LaunchTemplateSpecification: { LaunchTemplateName: 'template', Version: '$Latest' },
        Overrides: [{ InstanceType: 'm5.large', SubnetId: 'subnet-a', AvailabilityZone: 'us-east-1a' }],
      },
    ],
    TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'on-demand' },
    TagSpecifications: [{ ResourceType: 'instance', Tags: [] }],
  },
})

const harness = async () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 1_000 })
  await ec2.createLaunchTemplate({ LaunchTemplateName: 'template', LaunchTemplateData: {} }, never)
  const told: { readonly codes: readonly (string | undefined)[]; readonly hasLaunched: boolean }[] = []
  const fleets = new Fleets({ ec2, clock, batchClock: clock, metrics: new PrometheusMetrics() }, (outcome) =>
    told.push({ codes: outcome.errors.map(({ ErrorCode }) => ErrorCode), hasLaunched: outcome.hasLaunched }),
  )
  const launch = async (...uids: readonly string[]) => {
    const answers = Promise.allSettled(uids.map((uid) => fleets.launch(requestFor(uid), never)))
    await clock.advance(8_000)
    return answers
  }
  return { clock, ec2, fleets, told, launch, calls: () => ec2.faults.count('createFleet') }
}

test('a fleet waits 35 ms for equal requests', async () => {
  const { clock, fleets, calls } = await harness()
  const waiting = fleets.launch(requestFor('a'), never)
  await clock.advance(34)
  expect(calls()).toBe(0)
  await clock.advance(1)
  await waiting
  expect(calls()).toBe(1)
})

test('if EC2 launches fewer instances than requested without an error, the remaining requests get a shortage error', async () => {
  const { ec2, told, launch } = await harness()
  ec2.stocks.push({ of: { instanceType: 'm5.large' }, left: 1 })
  const { createFleet } = ec2
  ec2.createFleet = async (input, signal) => {
    const { Errors: _, ...answer } = await createFleet.call(ec2, input, signal)
    return answer
  }
  expect(await launch('a', 'b')).toMatchObject([
    { value: { instance: { id: ec2.launches[0]?.id }, errors: [] } },
    { value: { errors: [{ ErrorCode: 'TooFewInstances' }] } },
  ])
  expect(told).toEqual([{ codes: ['TooFewInstances'], hasLaunched: true }])
})

test('errors are reported together with whether the fleet launched something; if there are none, nothing is reported', async () => {
  const { ec2, told, launch } = await harness()
  ec2.stocks.push({ of: {}, left: 0 })
  await launch('a')
  expect(told).toEqual([{ codes: ['InsufficientInstanceCapacity'], hasLaunched: false }])
  ec2.stocks.length = 0
  await launch('b')
  expect(told).toHaveLength(1)
})

test('a throttled retry does not decide the outcome of the first call, so the call is retried again', async () => {
  const { ec2, launch, calls } = await harness()
  ec2.faults.next('createFleet', { code: 'network', afterwards: true })
  ec2.faults.next('createFleet', { code: 'RequestLimitExceeded', status: 400 })
  expect(await launch('a')).toMatchObject([{ value: { instance: { id: ec2.launches[0]?.id } } }])
  expect([calls(), ec2.launches.length]).toEqual([3, 1])
})

test('a throttled first call has launched nothing, and is not kept for a retry', async () => {
  const { ec2, fleets, launch, calls } = await harness()
  ec2.faults.next('createFleet', { code: 'RequestLimitExceeded', status: 400 })
  expect(await launch('a')).toMatchObject([{ status: 'rejected' }])
  expect([calls(), fleets.mayHaveLaunched('a')]).toEqual([1, false])
})

test('a call with an unknown outcome can be continued for ten minutes', async () => {
  const { clock, ec2, fleets, launch } = await harness()
  ec2.faults.standing('createFleet', { code: 'network', afterwards: true })
  await launch('a')
  // Seven seconds passed between the first and the last attempt.
  await clock.advance(600_000 - 8_000)
  expect(fleets.isOpen('a')).toBe(true)
  await clock.advance(8_000)
  expect([fleets.isOpen('a'), fleets.mayHaveLaunched('a')]).toEqual([false, false])
  expect(await fleets.settle('a', never)).toBeUndefined()
})
