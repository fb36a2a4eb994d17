import type { CreateFleetCommandInput } from '@aws-sdk/client-ec2'
import { annotations, labels, type NodeClaim } from '@kerf/apis'
import { CreateError, findError, InsufficientCapacityError } from '@kerf/provider-contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { awsLabels } from '../label-names.ts'
import { type AwsHarness, type AwsHarnessOptions, createAwsHarness, never } from '../testing/aws-harness.ts'
import { is } from '../testing/offered-type.ts'
import { reservation } from '../testing/reservation.ts'

// See `providers/aws/docs/spec/aws.md#instances`.

const startHarness = async (options: AwsHarnessOptions = {}): Promise<AwsHarness> => {
  const harness = await createAwsHarness(options)
  onTestFinished(() => harness.stop())
  return harness
}
const annotated = (claim: NodeClaim, ...names: readonly string[]): NodeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, annotations: Object.fromEntries(names.map((name) => [name, 'true'])) },
})
/** Returns a function that lists the fleets requested since this call. */
const watchFleets = ({ aws }: AwsHarness): (() => readonly CreateFleetCommandInput[]) => {
  const calls = vi.spyOn(aws.ec2, 'createFleet')
  return () => calls.mock.calls.map(([input]) => input)
}
const instanceId = (providerID: string): string => providerID.split('/').at(-1) ?? ''
const only = (...types: readonly string[]) => is(labels.instanceType, ...types)
const thrownError = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

test('a resource that only an overlay adds is not required of the instance type, but any other resource is', async () => {
  const { provider, claim } = await startHarness()
  const wanted = await claim('a', { requests: { cpu: '1', 'example.com/widget': '1' } })
  expect(findError(await thrownError(provider.create(wanted, never)), InsufficientCapacityError)).toBeDefined()
  const view = await provider.create(annotated(wanted, annotations.capacityOverlayApplied), never)
  expect(view.labels[labels.instanceType]).toMatch(/./)
  const great = await claim('b', { requests: { cpu: '1000' } })
  const failure = await thrownError(provider.create(annotated(great, annotations.capacityOverlayApplied), never))
  expect(findError(failure, InsufficientCapacityError)).toBeDefined()
})

test('overlay prices become priorities, and the context is passed on unless minValues were relaxed', async () => {
  const harness = await startHarness({ spec: { context: 'quota-group' } })
  const fleets = watchFleets(harness)
  const plain = await harness.claim('a', { requirements: [is(labels.capacityType, 'on-demand')] })
  await harness.provider.create(plain, never)
  const second = await harness.claim('b', { requirements: [is(labels.capacityType, 'on-demand')] })
  await harness.provider.create(annotated(second, annotations.priceOverlayApplied, annotations.minValuesRelaxed), never)
  expect(fleets().map(({ Context, OnDemandOptions }) => [Context, OnDemandOptions?.AllocationStrategy])).toEqual([
    ['quota-group', 'lowest-price'],
    [undefined, 'prioritized'],
  ])
})

test('a template that was deleted between look-up and launch is created again, once', async () => {
  const harness = await startHarness()
  const { aws, provider } = harness
  const requirements = [only('m5.large')]
  await provider.create(await harness.claim('a', { requirements }), never)
  const fleets = watchFleets(harness)
  aws.ec2.templates.clear()
  await provider.create(await harness.claim('b', { requirements }), never)
  expect(fleets()).toHaveLength(2)
  aws.ec2.faults.standing('createFleet', { code: 'InvalidLaunchTemplateName.NotFoundException' })
  const failure = await thrownError(provider.create(await harness.claim('c', { requirements }), never))
  expect(findError(failure, CreateError)).toBeDefined()
  expect(fleets()).toHaveLength(4)
})

test('an on-demand launch with few types logs that more types would help, if spot is allowed too', async () => {
  const harness = await startHarness()
  const { aws, provider, log } = harness
  aws.ec2.stockOuts.push({ capacityType: 'spot' })
  const said = async (name: string, types: readonly string[], ...bought: readonly string[]): Promise<number> => {
    const before = log.lines.length
    await provider.create(
      await harness.claim(name, { requirements: [only(...types), is(labels.capacityType, ...bought)] }),
      never,
    )
    return log.lines.slice(before).filter(({ message }) => message.startsWith('launching on-demand with few')).length
  }
  const four = ['m5.large', 'm5.xlarge', 'c5.large', 'r5.large']
  expect(await said('a', four, 'spot', 'on-demand')).toBe(1)
  expect(await said('b', four, 'on-demand')).toBe(0)
  expect(await said('c', [...four, 't3.medium'], 'spot', 'on-demand')).toBe(0)
})

test('an instance of a type that was not requested is an error that names the type', async () => {
  const harness = await startHarness()
  const { aws, provider } = harness
  const { createFleet } = aws.ec2
  aws.ec2.createFleet = async (input, signal) => {
    const answer = await createFleet.call(aws.ec2, input, signal)
    const { Instances: [launched] = [] } = answer
    const id = launched?.InstanceIds?.[0] ?? ''
    const instance = aws.ec2.instances.get(id)
    if (instance !== undefined)
      aws.ec2.instances.set(id, { ...instance, data: { ...instance.data, InstanceType: 'x1.32xlarge' } })
    return { ...answer, Instances: [{ InstanceIds: [id], InstanceType: 'x1.32xlarge' }] }
  }
  const failure = await thrownError(provider.create(await harness.claim('a'), never))
  expect(findError(failure, CreateError)).toMatchObject({
    reason: 'LaunchFailed',
    conditionMessage: expect.stringContaining('x1.32xlarge'),
  })
})

test.each([
  ['image', { amis: [] }],
  ['subnet', { subnets: [] }],
])('a class that has no %s for any of the types launches nothing', async (_what, lacking) => {
  const harness = await startHarness()
  const { provider, aws } = harness
  const nodeClass = await harness.nodeClass()
  const types = await provider.instanceTypes(harness.pool(), never)
  const failure = await thrownError(
    provider.deps.launcher.launch(
      await harness.claim('a'),
      { ...nodeClass, status: { ...nodeClass.status, ...lacking } },
      types,
      never,
    ),
  )
  expect(findError(failure, CreateError)?.reason).toBe('LaunchFailed')
  expect(aws.ec2.faults.count('createFleet')).toBe(0)
})

test('the instance is described from the launch, without a call to EC2', async () => {
  const harness = await startHarness({
    spec: { placementGroupSelector: { name: 'near' } },
    before: ({ ec2 }) =>
      ec2.placementGroups.push({ GroupId: 'pg-1', GroupName: 'near', Strategy: 'cluster', State: 'available' }),
  })
  const { aws, provider, clock, deps } = { ...harness, deps: harness.provider.deps }
  const requirements = [
    only('m5.large'),
    is(labels.zone, 'us-east-1b'),
    is(labels.capacityType, 'spot'),
    is(awsLabels.tenancy, 'dedicated'),
  ]
  const view = await provider.create(await harness.claim('a', { requirements }), never)
  const made = await deps.instances.get(instanceId(view.providerID), 'memory', never)
  expect(aws.ec2.faults.count('describeInstances')).toBe(0)
  const { tags, ...facts } = made
  expect(facts).toEqual({
    id: aws.ec2.launches[0]?.id,
    type: 'm5.large',
    zone: 'us-east-1b',
    imageId: 'ami-x86',
    capacityType: 'spot',
    isEnding: false,
    isGone: false,
    tenancy: 'dedicated',
    efaCount: 0,
    launchedAt: clock.now(),
    subnetId: 'subnet-b',
    securityGroupIds: ['sg-1'],
    placement: { groupId: 'pg-1' },
  })
  expect(tags).toMatchObject({ [labels.nodePool]: 'default', [awsLabels.nodeClass]: 'default' })
  const [instance] = aws.ec2.living()
  expect(instance?.data.Placement).toMatchObject({ Tenancy: 'dedicated', GroupId: 'pg-1' })
})

test('addresses that a launch did not use are released, except in the subnet that it used', async () => {
  const { provider, claim, nodeClass } = await startHarness()
  const { subnets } = provider.deps
  const settled = vi.spyOn(subnets, 'settle')
  const where = [only('m5.large'), is(labels.capacityType, 'on-demand')]
  await provider.create(await claim('a', { requirements: where }), never)
  const failed = await thrownError(provider.create(await claim('b', { requirements: [only('m5.none')] }), never))
  expect(findError(failed, InsufficientCapacityError)).toBeDefined()
  expect(settled.mock.calls.map(([, used]) => used.size)).toEqual([1])
  const status = (await nodeClass()).status?.subnets ?? []
  expect(status).toHaveLength(3)
})

test('an instance in a reservation reduces its free capacity', async () => {
  const harness = await startHarness({
    spec: { capacityReservationSelectorTerms: [{ id: 'cr-1' }] },
    before: ({ ec2 }) => ec2.reservations.push(reservation()),
  })
  const { provider } = harness
  await harness.clock.advance(1)
  const claim = await harness.claim('a', { requirements: [only('m5.large')] })
  const view = await provider.create(claim, never)
  expect(view.labels[awsLabels.capacityReservationId]).toBe('cr-1')
  expect(provider.deps.reservations.left('cr-1')).toBe(2)
})

test('an aborted launch throws the abort reason, whatever happened in the meantime', async () => {
  const harness = await startHarness()
  const { aws, provider } = harness
  const stop = new AbortController()
  aws.ec2.createFleet = async () => {
    stop.abort(new Error('no longer the leader'))
    throw new Error('cut off')
  }
  const { launcher } = provider.deps
  const types = await provider.instanceTypes(harness.pool(), never)
  const claim = await harness.claim('a')
  await expect(launcher.launch(claim, await harness.nodeClass(), types, stop.signal)).rejects.toThrow(
    'no longer the leader',
  )
})
