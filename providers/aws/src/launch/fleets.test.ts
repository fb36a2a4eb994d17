import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { type FleetRequest, type FleetResult, Fleets } from './fleets.ts'
import type { LaunchContext } from './launch-context.ts'
import { claimDigest, mayBeLaunchedFor } from './launched-for.ts'

const never = new AbortController().signal

const context: LaunchContext = {
  capacityType: 'on-demand',
  tenancy: 'default',
  classScope: 'class uid-1',
  group: undefined,
  partition: undefined,
  candidates: [],
  subnets: [],
  asked: [],
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

const harness = async () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 1_000 })
  await ec2.createLaunchTemplate({ LaunchTemplateName: 'template', LaunchTemplateData: {} }, never)
  const errors: number[] = []
  const fleets = new Fleets({ ec2, clock, batchClock: clock, metrics: new PrometheusMetrics() }, ({ errors: list }) =>
    errors.push(list.length),
  )
  const launch = async (...requests: readonly FleetRequest[]) => {
    const answers = Promise.allSettled(requests.map((request) => fleets.launch(request, never)))
    await clock.advance(8_000)
    return answers
  }
  return { clock, ec2, fleets, errors, launch }
}

test('equal requests share one fleet, whose instances are tagged with their claims', async () => {
  const { ec2, launch } = await harness()
  const answers = await launch(...['a', 'b', 'c'].map((uid) => requestFor(uid)), requestFor('d', 'c5.large'))
  expect(answers.every(({ status }) => status === 'fulfilled')).toBe(true)
  expect(ec2.faults.count('createFleet')).toBe(2)
  const group = ['a', 'b', 'c'].map(claimDigest).join(' ')
  expect(ec2.launches.map(({ tags }) => tags['kerf.sh/nodeclaims'])).toEqual([group, group, group, claimDigest('d')])
  expect(ec2.launches[3]?.tags).toMatchObject({ team: 'a', 'karpenter.sh/nodeclaim': 'claim-d' })
  expect(ec2.launches[1]?.tags['karpenter.sh/nodeclaim']).toBeUndefined()
})

test('a thousand claims share one call, whose tag EC2 accepts and which matches each of them', async () => {
  const { ec2, launch } = await harness()
  const uids = Array.from({ length: 1_000 }, (_, index) => `uid-${index}`)
  const answers = await launch(...uids.map((uid) => requestFor(uid)))
  expect(ec2.faults.count('createFleet')).toBe(1)
  expect(new Set(answers.map((each) => (each.status === 'fulfilled' ? each.value.instance?.id : ''))).size).toBe(1_000)
  const value = ec2.launches[0]?.tags['kerf.sh/nodeclaims'] ?? ''
  expect(value.length).toBeLessThanOrEqual(256)
  expect(uids.every((uid) => mayBeLaunchedFor(value, uid))).toBe(true)
})

test('if a fleet launches fewer instances than requested, each goes to one claim, and the others get the error', async () => {
  const { ec2, fleets, errors, launch } = await harness()
  ec2.stocks.push({ of: { instanceType: 'm5.large' }, left: 3 })
  const answers = await launch(...['a', 'b', 'c', 'd', 'e'].map((uid) => requestFor(uid)))
  const values = answers.map((each) => (each.status === 'fulfilled' ? each.value : undefined))
  expect(new Set(values.flatMap((each) => each?.instance?.id ?? []))).toEqual(new Set(ec2.launches.map(({ id }) => id)))
  expect(values.filter((each) => each?.instance === undefined).map((each) => each?.errors[0]?.ErrorCode)).toEqual([
    'InsufficientInstanceCapacity',
    'InsufficientInstanceCapacity',
  ])
  expect(errors).toEqual([1])
  expect(fleets.isOpen('e')).toBe(false)
})

const uids = ['a', 'b', 'c', 'd', 'e']
const answerIds = (answers: readonly PromiseSettledResult<FleetResult>[]): ReadonlySet<string | undefined> =>
  new Set(answers.map((each) => (each.status === 'fulfilled' ? each.value.instance?.id : undefined)))

test.each([
  ['network', true],
  ['network', false],
  ['InternalError', true],
  ['RequestLimitExceeded', true],
])(
  'if the outcome of a fleet is unknown (%s, launched: %s), the same fleet is requested again, and each claim gets one instance',
  async (code, afterwards) => {
    const { ec2, fleets, launch } = await harness()
    for (let lost = 0; lost < 2; lost++) ec2.faults.next('createFleet', { code, status: 500, afterwards })
    const answers = await launch(...uids.map((uid) => requestFor(uid)))
    expect(answerIds(answers)).toEqual(new Set(ec2.launches.map(({ id }) => id)))
    expect(ec2.launches).toHaveLength(5)
    expect(ec2.faults.count('createFleet')).toBe(3)
    expect(fleets.isOpen('a')).toBe(true)
    fleets.taken('a')
    expect(fleets.isOpen('a')).toBe(false)
  },
)

test('if an outcome is unknown, the claims fail, and get the result when they ask again, all with a single call', async () => {
  const { clock, ec2, fleets, launch } = await harness()
  ec2.faults.standing('createFleet', { code: 'network', afterwards: true })
  const answers = await launch(...uids.map((uid) => requestFor(uid)))
  expect(answers.map(({ status }) => status)).toEqual(uids.map(() => 'rejected'))
  expect(ec2.faults.count('createFleet')).toBe(4)
  ec2.faults.recover()
  await clock.advance(1_000)
  const settled = Promise.allSettled(uids.map((uid) => fleets.settle(uid, never)))
  await clock.advance(1_000)
  expect(answerIds((await settled) as PromiseSettledResult<FleetResult>[])).toEqual(
    new Set(ec2.launches.map(({ id }) => id)),
  )
  expect(ec2.launches).toHaveLength(5)
  expect(ec2.faults.count('createFleet')).toBe(5)
})

test('claims that ask one after the other share one retry', async () => {
  const { clock, ec2, fleets, launch } = await harness()
  ec2.faults.standing('createFleet', { code: 'network' })
  await launch(...uids.map((uid) => requestFor(uid)))
  await clock.advance(10_000)
  for (const uid of uids) {
    const settled = Promise.allSettled([fleets.settle(uid, never)])
    if (uid === 'a') await clock.advance(7_000)
    expect(await settled).toMatchObject([{ status: 'rejected' }])
  }
  expect(ec2.faults.count('createFleet')).toBe(8)
})

test('a refused retry does not decide the outcome of the first call, so its instances are searched for', async () => {
  const { ec2, fleets, launch } = await harness()
  ec2.faults.next('createFleet', { code: 'network', afterwards: true })
  ec2.faults.next('createFleet', { code: 'UnauthorizedOperation', status: 403 })
  const answers = await launch(requestFor('a'), requestFor('b'))
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(fleets.isOpen('a')).toBe(false)
  expect(['a', 'b'].map((uid) => fleets.mayHaveLaunched(uid))).toEqual([true, true])
})

test('after a refusal nothing is left to retry, and after a shortage the next call has another token', async () => {
  const { ec2, fleets, errors, launch } = await harness()
  ec2.faults.next('createFleet', { code: 'UnauthorizedOperation', status: 403 })
  expect((await launch(requestFor('a')))[0]?.status).toBe('rejected')
  expect(fleets.mayHaveLaunched('a')).toBe(false)

  ec2.stockOuts.push({})
  const [short] = await launch(requestFor('a'))
  expect(short).toMatchObject({ value: { errors: [{ ErrorCode: 'InsufficientInstanceCapacity' }] } })
  expect(errors).toEqual([1])
  ec2.stockOuts.length = 0
  // With the same token, EC2 would again return the error about missing capacity.
  const [launched] = await launch(requestFor('a'))
  expect(launched).toMatchObject({ value: { instance: { id: ec2.launches[0]?.id } } })
})

test('an instance whose claim stopped waiting is returned when the claim asks again', async () => {
  const { clock, ec2, fleets } = await harness()
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
