import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { claimDigest, type FleetRequest, Fleets } from './fleets.ts'
import type { LaunchContext } from './launch-context.ts'

const never = new AbortController().signal

const context: LaunchContext = {
  capacityType: 'on-demand',
  tenancy: 'default',
  group: undefined,
  partition: undefined,
  candidates: [],
  subnets: [],
  templates: new Map(),
}

const requestFor = (uid: string, type = 'm5.large'): FleetRequest => ({
  claim: { uid, name: `claim-${uid}` },
  context,
  input: {
    Type: 'instant',
    LaunchTemplateConfigs: [
      {
        LaunchTemplateSpecification: { LaunchTemplateName: 'template', Version: '$Latest' },
        Overrides: [{ InstanceType: type as 'm5.large', SubnetId: 'subnet-a', AvailabilityZone: 'us-east-1a' }],
      },
    ],
    TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'on-demand' },
    TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'team', Value: 'a' }] }],
  },
})

const world = async () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 1_000 })
  await ec2.createLaunchTemplate({ LaunchTemplateName: 'template', LaunchTemplateData: {} }, never)
  const errors: number[] = []
  const fleets = new Fleets({ ec2, clock, batchClock: clock, metrics: new PrometheusMetrics() }, (list) =>
    errors.push(list.length),
  )
  const launch = async (...requests: readonly FleetRequest[]) => {
    const answers = Promise.allSettled(requests.map((request) => fleets.launch(request, never)))
    await clock.advance(1_000)
    return answers
  }
  return { clock, ec2, fleets, errors, launch }
}

test('equal wishes are one fleet, whose instances say who they are for', async () => {
  const { ec2, launch } = await world()
  const answers = await launch(...['a', 'b', 'c'].map((uid) => requestFor(uid)), requestFor('d', 'c5.large'))
  expect(answers.every(({ status }) => status === 'fulfilled')).toBe(true)
  expect(ec2.faults.count('createFleet')).toBe(2)
  const group = ['a', 'b', 'c'].map(claimDigest).join(' ')
  expect(ec2.launches.map(({ tags }) => tags['kerf.sh/nodeclaims'])).toEqual([group, group, group, claimDigest('d')])
  expect(ec2.launches[3]?.tags).toMatchObject({ team: 'a', 'karpenter.sh/nodeclaim': 'claim-d' })
  expect(ec2.launches[1]?.tags['karpenter.sh/nodeclaim']).toBeUndefined()
})

test('no tag grows longer than EC2 takes', async () => {
  const { ec2, launch } = await world()
  await launch(...Array.from({ length: 60 }, (_, index) => requestFor(`uid-${index}`)))
  expect(ec2.launches).toHaveLength(60)
  for (const { tags } of ec2.launches) expect((tags['kerf.sh/nodeclaims'] ?? '').length).toBeLessThanOrEqual(256)
})

test.each(['network', 'InternalError'])(
  'after a lost answer (%s) the same fleet is asked for again, and nothing is launched twice',
  async (code) => {
    const { ec2, fleets, launch } = await world()
    ec2.faults.next('createFleet', { code, status: 500, afterwards: true })
    const [a, b] = await launch(requestFor('a'), requestFor('b'))
    expect([a?.status, b?.status]).toEqual(['rejected', 'rejected'])
    expect(ec2.launches).toHaveLength(2)
    expect(fleets.isOpen('a')).toBe(true)
    const first = await fleets.settle('a', never)
    const second = await fleets.settle('b', never)
    expect(new Set([first?.instance?.id, second?.instance?.id])).toEqual(new Set(ec2.launches.map(({ id }) => id)))
    expect(ec2.launches).toHaveLength(2)
    expect(fleets.isOpen('a')).toBe(false)
  },
)

test('a refusal leaves nothing open; a shortage is asked for with another token', async () => {
  const { ec2, fleets, errors, launch } = await world()
  ec2.faults.next('createFleet', { code: 'UnauthorizedOperation', status: 403 })
  expect((await launch(requestFor('a')))[0]?.status).toBe('rejected')
  expect(fleets.isOpen('a')).toBe(false)

  ec2.stockOuts.push({})
  const [short] = await launch(requestFor('a'))
  expect(short).toMatchObject({ value: { errors: [{ ErrorCode: 'InsufficientInstanceCapacity' }] } })
  expect(errors).toEqual([1])
  ec2.stockOuts.length = 0
  // EC2 would repeat the shortage to the same token.
  const [launched] = await launch(requestFor('a'))
  expect(launched).toMatchObject({ value: { instance: { id: ec2.launches[0]?.id } } })
})

test('an instance whose claim stopped waiting is there when it asks again', async () => {
  const { clock, ec2, fleets } = await world()
  const stop = new AbortController()
  let release: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { createFleet } = ec2
  ec2.createFleet = async (input, signal) => {
    await gate
    return createFleet.call(ec2, input, signal)
  }
  const waiting = fleets.launch(requestFor('a'), stop.signal)
  const outcome = waiting.catch((error: unknown) => error)
  await clock.advance(100)
  stop.abort(new Error('enough'))
  expect(await outcome).toBeInstanceOf(Error)
  release()
  await clock.advance(100)
  expect(fleets.isOpen('a')).toBe(true)
  expect((await fleets.settle('a', never))?.instance?.id).toBe(ec2.launches[0]?.id)
})
