import { type Condition, findCondition, formatTime, karpenterKinds, type NodeClaim } from '@kerf/apis'
import { DeleteError, findError, type InstanceView, isNodeClaimNotFound } from '@kerf/provider-contract'
import { expect, onTestFinished, test } from 'vitest'
import { tagsOf } from '../api/aws-api.ts'
import { awsTags, clusterTag } from '../labels.ts'
import { type AwsWorld, createAwsWorld, never } from '../testing/aws-world.ts'
import { parseProviderId } from './provider-id.ts'

/** After this time EC2's answers count as consistent. */
const SETTLED = 301_000

interface Launched {
  readonly claim: NodeClaim
  readonly view: InstanceView
  readonly id: string
}

const worldOf = async (): Promise<AwsWorld> => {
  const world = await createAwsWorld()
  onTestFinished(() => world.stop())
  return world
}

const refOf = ({ metadata }: NodeClaim) => ({ name: metadata.name })

const named = async (world: AwsWorld, claim: NodeClaim, providerID: string): Promise<NodeClaim> => {
  const launched: Condition = {
    type: 'Launched',
    status: 'True',
    reason: 'Launched',
    message: '',
    lastTransitionTime: formatTime(world.clock.now()),
  }
  const body = { status: { providerID, conditions: [launched] } }
  return world.client.patch(karpenterKinds.NodeClaim, refOf(claim), { type: 'merge', body }, { subresource: 'status' })
}

/** Launches this many claims, and writes the instance of each into its status. */
const launch = async (world: AwsWorld, count: number): Promise<readonly Launched[]> => {
  const names = Array.from({ length: count }, (_, index) => `claim-${index}`)
  const claims = await Promise.all(names.map((name) => world.claim(name)))
  const launched = await Promise.all(
    claims.map(async (claim) => {
      const view = await world.provider.create(claim, never)
      const id = parseProviderId(view.providerID)?.instanceId ?? ''
      return { claim: await named(world, claim, view.providerID), view, id }
    }),
  )
  await world.clock.advance(1_000)
  return launched
}

const one = async (world: AwsWorld): Promise<Launched> => {
  const [launched] = await launch(world, 1)
  if (launched === undefined) throw new Error('nothing was launched')
  return launched
}

const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a failure')
}

const tags = ({ aws }: AwsWorld, id: string): Readonly<Record<string, string>> =>
  tagsOf(aws.ec2.instances.get(id)?.data.Tags)

const setTags = ({ aws }: AwsWorld, id: string, wanted: Readonly<Record<string, string>>): void => {
  const instance = aws.ec2.instances.get(id)
  if (instance === undefined) throw new Error(`no instance ${id}`)
  const Tags = Object.entries(wanted).map(([Key, Value]) => ({ Key, Value }))
  aws.ec2.instances.set(id, { ...instance, data: { ...instance.data, Tags } })
}

const without = (own: Readonly<Record<string, string>>, ...keys: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(own).filter(([key]) => !keys.includes(key)))

const running = ({ aws }: AwsWorld): readonly string[] =>
  aws.ec2
    .living()
    .filter(({ endsAt }) => endsAt === undefined)
    .map(({ data }) => data.InstanceId)

test('one protected instance does not stop the termination of others, and its claim says what to do', async () => {
  const world = await worldOf()
  const launched = await launch(world, 20)
  const [, , guarded] = launched
  world.aws.ec2.protectedInstances.add(guarded?.id ?? '')
  const outcomes = await Promise.allSettled(launched.map(({ claim }) => world.provider.delete(claim, never)))
  expect(outcomes.map(({ status }) => status).filter((status) => status === 'fulfilled')).toHaveLength(19)
  expect(running(world)).toEqual([guarded?.id])
  const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected')
  const error = findError(refused?.reason, DeleteError)
  expect(error?.reason).toBe('TerminationProtected')
  expect(error?.conditionMessage).toContain(`--instance-id ${guarded?.id} --no-disable-api-termination`)
  expect(world.aws.ec2.faults.count('terminateInstances')).toBe(2)
})

test('an instance with an unknown or malformed id does not hide the others', async () => {
  const world = await worldOf()
  const launched = await launch(world, 5)
  const strange = ['i-00000000000000fff', 'i-nonsense'].map((id) => `aws:///us-east-1a/${id}`)
  const later = world.newProvider()
  const outcomes = await Promise.allSettled(
    [...launched.map(({ view }) => view.providerID), ...strange].map((id) => later.get(id, never)),
  )
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...launched.map(() => 'fulfilled'),
    ...strange.map(() => 'rejected'),
  ])
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(isNodeClaimNotFound(outcome.reason)).toBe(true)
})

test('an instance that EC2 does not list yet is not gone, neither for its launcher nor after a restart', async () => {
  const world = await worldOf()
  world.aws.ec2.unseenFor = 60_000
  const { claim, view, id } = await one(world)
  expect(await world.provider.list(never)).toEqual([])
  for (const provider of [world.provider, world.newProvider()]) {
    expect(isNodeClaimNotFound(await failureOf(provider.delete(claim, never)))).toBe(false)
  }
  expect((await world.provider.get(view.providerID, never)).providerID).toBe(view.providerID)
  await world.clock.advance(60_000)
  await world.provider.delete(claim, never)
  expect(running(world)).toEqual([])
  world.aws.ec2.end(id)
  expect(isNodeClaimNotFound(await failureOf(world.provider.get(view.providerID, never)))).toBe(true)
})

test('an instance whose tags were removed still exists, and gets them back', async () => {
  const world = await worldOf()
  const { claim, view, id } = await one(world)
  await world.clock.advance(SETTLED)
  const before = tags(world, id)
  setTags(world, id, without(before, awsTags.nodePool, awsTags.clusterName))
  expect(await world.provider.list(never)).toEqual([])
  expect((await world.provider.get(view.providerID, never)).deletionTimestamp).toBeUndefined()
  await world.clock.advance(10_000)
  expect(tags(world, id)).toEqual(before)
  const [told, ...more] = world.events.events.filter(({ reason }) => reason === 'InstanceTagsMissing')
  expect(told?.object.metadata.name).toBe(claim.metadata.name)
  expect(told?.message).toContain('the tags were restored')
  expect(more).toEqual([])
  expect(await world.provider.list(never)).toHaveLength(1)
})

test('if the policy does not allow restoring the tags, the claim says how, and the instance can still be terminated', async () => {
  const world = await worldOf()
  const { claim, view, id } = await one(world)
  await world.clock.advance(SETTLED)
  setTags(world, id, without(tags(world, id), awsTags.nodePool))
  world.aws.ec2.faults.standing('createTags', { code: 'UnauthorizedOperation', status: 403 })
  for (let minute = 0; minute < 5; minute++) {
    await world.provider.list(never)
    await world.provider.get(view.providerID, never)
    await world.clock.advance(60_000)
  }
  const [told, ...more] = world.events.events.filter(({ reason }) => reason === 'InstanceTagsMissing')
  expect(told?.message).toContain(`aws ec2 create-tags --resources ${id} --tags Key=${awsTags.nodePool},Value=default`)
  expect(more).toEqual([])
  expect(world.aws.ec2.faults.count('createTags')).toBe(1)
  await world.provider.delete(claim, never)
  expect(running(world)).toEqual([])
})

test('an instance without a mark of this cluster, or with that of another, is neither gone nor terminated', async () => {
  const world = await worldOf()
  const { claim, id } = await one(world)
  const own = tags(world, id)
  setTags(world, id, { team: 'a' })
  const error = findError(await failureOf(world.provider.delete(claim, never)), DeleteError)
  expect(error?.reason).toBe('OwnershipUnknown')
  setTags(world, id, { ...own, [awsTags.clusterName]: 'other' })
  expect(isNodeClaimNotFound(await failureOf(world.provider.delete(claim, never)))).toBe(false)
  expect(running(world)).toEqual([id])
})

test('a refusal by the policy names the policy and the tags that it requires', async () => {
  const world = await worldOf()
  const { claim, id } = await one(world)
  setTags(world, id, without(tags(world, id), awsTags.nodePool))
  world.aws.ec2.faults.standing('createTags', { code: 'UnauthorizedOperation', status: 403 })
  world.aws.ec2.faults.standing('terminateInstances', {
    code: 'UnauthorizedOperation',
    status: 403,
    message: `You are not authorized to perform this operation. User: arn:aws:sts::123456789012:assumed-role/kerf/x is not authorized to perform: ec2:TerminateInstances on resource: arn:aws:ec2:us-east-1:123456789012:instance/${id} because no identity-based policy allows the ec2:TerminateInstances action`,
  })
  const error = findError(await failureOf(world.provider.delete(claim, never)), DeleteError)
  expect(error?.reason).toBe('Unauthorized')
  expect(error?.conditionMessage).toContain(`lacks the tags ${awsTags.nodePool}`)
})

test('garbage collection: a protected instance does not stop the others, and nothing is terminated that a claim may still adopt', async () => {
  const world = await worldOf()
  const own = {
    [awsTags.nodePool]: 'default',
    [awsTags.nodeClass]: 'default',
    [awsTags.clusterName]: 'demo',
    [clusterTag('demo')]: 'owned',
  }
  const leaked = Array.from({ length: 5 }, () => world.aws.ec2.plant(own, 600_000))
  const guarded = leaked[2] ?? ''
  world.aws.ec2.protectedInstances.add(guarded)
  // Launched for a claim whose status is not written yet.
  const claim = await world.claim('waiting')
  const view = await world.provider.create(claim, never)
  const id = parseProviderId(view.providerID)?.instanceId ?? ''
  // A second instance for the same claim, as after a launch whose answer was lost.
  const spare = world.aws.ec2.plant(tags(world, id))
  await world.clock.advance(200_000)
  expect(new Set(running(world))).toEqual(new Set([guarded, id, spare]))
  await named(world, claim, view.providerID)
  await world.clock.advance(300_000)
  expect(new Set(running(world))).toEqual(new Set([guarded, id]))
  world.aws.ec2.protectedInstances.clear()
  await world.client.delete(karpenterKinds.NodeClaim, refOf(claim))
  await world.clock.advance(300_000)
  expect(running(world)).toEqual([])
  expect(findCondition(claim, 'Launched')).toBeUndefined()
})
