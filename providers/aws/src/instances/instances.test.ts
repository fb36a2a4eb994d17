import { type Condition, findCondition, formatTime, karpenterKinds, type NodeClaim } from '@kerf/apis'
import { DeleteError, findError, type InstanceView, isNodeClaimNotFound } from '@kerf/provider-contract'
import { expect, onTestFinished, test } from 'vitest'
import { tagMap } from '../api/aws-api.ts'
import { awsTags, clusterTag } from '../labels.ts'
import { type AwsHarness, createAwsHarness, never } from '../testing/aws-harness.ts'
import { parseProviderId } from './provider-id.ts'

/** After this time, EC2's responses are considered consistent. */
const SETTLED = 301_000

interface Launched {
  readonly claim: NodeClaim
  readonly view: InstanceView
  readonly id: string
}

const startHarness = async (): Promise<AwsHarness> => {
  const harness = await createAwsHarness()
  onTestFinished(() => harness.stop())
  return harness
}

const claimRef = ({ metadata }: NodeClaim) => ({ name: metadata.name })

const named = async (harness: AwsHarness, claim: NodeClaim, providerID: string): Promise<NodeClaim> => {
  const launched: Condition = {
    type: 'Launched',
    status: 'True',
    reason: 'Launched',
    message: '',
    lastTransitionTime: formatTime(harness.clock.now()),
  }
  const body = { status: { providerID, conditions: [launched] } }
  return harness.client.patch(
    karpenterKinds.NodeClaim,
    claimRef(claim),
    { type: 'merge', body },
    { subresource: 'status' },
  )
}

/** Launches this many NodeClaims, and writes the instance of each into its status. */
const launch = async (harness: AwsHarness, count: number): Promise<readonly Launched[]> => {
  const names = Array.from({ length: count }, (_, index) => `claim-${index}`)
  const claims = await Promise.all(names.map((name) => harness.claim(name)))
  const launched = await Promise.all(
    claims.map(async (claim) => {
      const view = await harness.provider.create(claim, never)
      const id = parseProviderId(view.providerID)?.instanceId ?? ''
      return { claim: await named(harness, claim, view.providerID), view, id }
    }),
  )
  await harness.clock.advance(1_000)
  return launched
}

const one = async (harness: AwsHarness): Promise<Launched> => {
  const [launched] = await launch(harness, 1)
  if (launched === undefined) throw new Error('nothing was launched')
  return launched
}

const thrownError = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a failure')
}

const tags = ({ aws }: AwsHarness, id: string): Readonly<Record<string, string>> =>
  tagMap(aws.ec2.instances.get(id)?.data.Tags)

const setTags = ({ aws }: AwsHarness, id: string, wanted: Readonly<Record<string, string>>): void => {
  const instance = aws.ec2.instances.get(id)
  if (instance === undefined) throw new Error(`no instance ${id}`)
  const Tags = Object.entries(wanted).map(([Key, Value]) => ({ Key, Value }))
  aws.ec2.instances.set(id, { ...instance, data: { ...instance.data, Tags } })
}

const without = (own: Readonly<Record<string, string>>, ...keys: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(own).filter(([key]) => !keys.includes(key)))

const running = ({ aws }: AwsHarness): readonly string[] =>
  aws.ec2
    .living()
    .filter(({ endsAt }) => endsAt === undefined)
    .map(({ data }) => data.InstanceId)

test('one protected instance does not stop the termination of others, and its claim says how to continue', async () => {
  const harness = await startHarness()
  const launched = await launch(harness, 20)
  const [, , guarded] = launched
  harness.aws.ec2.protectedInstances.add(guarded?.id ?? '')
  const outcomes = await Promise.allSettled(launched.map(({ claim }) => harness.provider.delete(claim, never)))
  expect(outcomes.map(({ status }) => status).filter((status) => status === 'fulfilled')).toHaveLength(19)
  expect(running(harness)).toEqual([guarded?.id])
  const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected')
  const error = findError(refused?.reason, DeleteError)
  expect(error?.reason).toBe('TerminationProtected')
  expect(error?.conditionMessage).toContain(`--instance-id ${guarded?.id} --no-disable-api-termination`)
  expect(harness.aws.ec2.faults.count('terminateInstances')).toBe(2)
})

test('an instance with an unknown or malformed ID does not hide the others', async () => {
  const harness = await startHarness()
  const launched = await launch(harness, 5)
  const strange = ['i-00000000000000fff', 'i-nonsense'].map((id) => `aws:///us-east-1a/${id}`)
  const later = harness.newProvider()
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

test('an instance that EC2 does not list yet is not gone, neither for the process that launched it nor after a restart', async () => {
  const harness = await startHarness()
  harness.aws.ec2.unseenFor = 60_000
  const { claim, view, id } = await one(harness)
  expect(await harness.provider.list(never)).toEqual([])
  for (const provider of [harness.provider, harness.newProvider()]) {
    expect(isNodeClaimNotFound(await thrownError(provider.delete(claim, never)))).toBe(false)
  }
  expect((await harness.provider.get(view.providerID, never)).providerID).toBe(view.providerID)
  await harness.clock.advance(60_000)
  await harness.provider.delete(claim, never)
  expect(running(harness)).toEqual([])
  harness.aws.ec2.end(id)
  expect(isNodeClaimNotFound(await thrownError(harness.provider.get(view.providerID, never)))).toBe(true)
})

test('an instance whose tags were removed still exists, and its tags are restored', async () => {
  const harness = await startHarness()
  const { claim, view, id } = await one(harness)
  await harness.clock.advance(SETTLED)
  const before = tags(harness, id)
  setTags(harness, id, without(before, awsTags.nodePool, awsTags.clusterName))
  expect(await harness.provider.list(never)).toEqual([])
  expect((await harness.provider.get(view.providerID, never)).deletionTimestamp).toBeUndefined()
  await harness.clock.advance(10_000)
  expect(tags(harness, id)).toEqual(before)
  const [told, ...more] = harness.events.events.filter(({ reason }) => reason === 'InstanceTagsMissing')
  expect(told?.object.metadata.name).toBe(claim.metadata.name)
  expect(told?.message).toContain('the tags were restored')
  expect(more).toEqual([])
  expect(await harness.provider.list(never)).toHaveLength(1)
})

test('if the policy does not allow restoring the tags, the claim says how, and the instance can still be terminated', async () => {
  const harness = await startHarness()
  const { claim, view, id } = await one(harness)
  await harness.clock.advance(SETTLED)
  setTags(harness, id, without(tags(harness, id), awsTags.nodePool))
  harness.aws.ec2.faults.standing('createTags', { code: 'UnauthorizedOperation', status: 403 })
  for (let minute = 0; minute < 5; minute++) {
    await harness.provider.list(never)
    await harness.provider.get(view.providerID, never)
    await harness.clock.advance(60_000)
  }
  const [told, ...more] = harness.events.events.filter(({ reason }) => reason === 'InstanceTagsMissing')
  expect(told?.message).toContain(`aws ec2 create-tags --resources ${id} --tags Key=${awsTags.nodePool},Value=default`)
  expect(more).toEqual([])
  expect(harness.aws.ec2.faults.count('createTags')).toBe(1)
  await harness.provider.delete(claim, never)
  expect(running(harness)).toEqual([])
})

test('an instance without a mark of this cluster, or with another cluster’s, neither counts as gone nor is terminated', async () => {
  const harness = await startHarness()
  const { claim, id } = await one(harness)
  const own = tags(harness, id)
  setTags(harness, id, { team: 'a' })
  const error = findError(await thrownError(harness.provider.delete(claim, never)), DeleteError)
  expect(error?.reason).toBe('OwnershipUnknown')
  setTags(harness, id, { ...own, [awsTags.clusterName]: 'other' })
  expect(isNodeClaimNotFound(await thrownError(harness.provider.delete(claim, never)))).toBe(false)
  expect(running(harness)).toEqual([id])
})

test('a refusal by the policy names the policy and the tags that it requires', async () => {
  const harness = await startHarness()
  const { claim, id } = await one(harness)
  setTags(harness, id, without(tags(harness, id), awsTags.nodePool))
  harness.aws.ec2.faults.standing('createTags', { code: 'UnauthorizedOperation', status: 403 })
  harness.aws.ec2.faults.standing('terminateInstances', {
    code: 'UnauthorizedOperation',
    status: 403,
    message: `You are not authorized to perform this operation. User: arn:aws:sts::123456789012:assumed-role/kerf/x is not authorized to perform: ec2:TerminateInstances on resource: arn:aws:ec2:us-east-1:123456789012:instance/${id} because no identity-based policy allows the ec2:TerminateInstances action`,
  })
  const error = findError(await thrownError(harness.provider.delete(claim, never)), DeleteError)
  expect(error?.reason).toBe('Unauthorized')
  expect(error?.conditionMessage).toContain(`lacks the tags ${awsTags.nodePool}`)
})

test('garbage collection: a protected instance does not stop the others, and nothing is terminated that a claim may still need', async () => {
  const harness = await startHarness()
  const own = {
    [awsTags.nodePool]: 'default',
    [awsTags.nodeClass]: 'default',
    [awsTags.clusterName]: 'demo',
    [clusterTag('demo')]: 'owned',
  }
  const leaked = Array.from({ length: 5 }, () => harness.aws.ec2.plant(own, 600_000))
  const guarded = leaked[2] ?? ''
  harness.aws.ec2.protectedInstances.add(guarded)
  // The instance was launched for a NodeClaim whose status has not been written yet.
  const claim = await harness.claim('waiting')
  const view = await harness.provider.create(claim, never)
  const id = parseProviderId(view.providerID)?.instanceId ?? ''
  // A second instance for the same NodeClaim, as after a launch whose response was lost.
  const spare = harness.aws.ec2.plant(tags(harness, id))
  await harness.clock.advance(200_000)
  expect(new Set(running(harness))).toEqual(new Set([guarded, id, spare]))
  await named(harness, claim, view.providerID)
  await harness.clock.advance(300_000)
  expect(new Set(running(harness))).toEqual(new Set([guarded, id]))
  harness.aws.ec2.protectedInstances.clear()
  await harness.client.delete(karpenterKinds.NodeClaim, claimRef(claim))
  await harness.clock.advance(300_000)
  expect(running(harness)).toEqual([])
  expect(findCondition(claim, 'Launched')).toBeUndefined()
})
