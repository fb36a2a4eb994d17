import { findCondition, karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { expect, onTestFinished, test } from 'vitest'
import { running, scale } from '../../../tests/integration/story/nginx-story.ts'
import { nginx } from '../../../tests/integration/story/spread-objects.ts'
import { type FakeAwsStory, startFakeAwsStory } from './kerf-on-fake-aws.ts'
import { nodePool } from './node-pool.ts'

const PODS = 60

const claimsOf = async ({ client }: FakeAwsStory): Promise<readonly NodeClaim[]> =>
  (await client.list(karpenterKinds.NodeClaim)).items

const claimId = ({ status }: NodeClaim): string => status?.providerID?.split('/').at(-1) ?? ''

const eventsOf = async ({ client }: FakeAwsStory, claim: NodeClaim, reason: string) =>
  (await client.list(kinds.Event)).items.filter(
    (event) => event.reason === reason && event.involvedObject.name === claim.metadata.name,
  )

const tagsOf = ({ aws }: FakeAwsStory, id: string): Readonly<Record<string, string>> =>
  Object.fromEntries((aws.ec2.instances.get(id)?.data.Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]))

/** Starts a story with twenty nodes that all run pods. */
const twentyNodes = async (): Promise<FakeAwsStory> => {
  const story = await startFakeAwsStory(1)
  onTestFinished(() => story.close())
  await story.client.create(karpenterKinds.NodePool, nodePool())
  await story.client.create(kinds.Deployment, nginx(PODS))
  await story.until('every pod running', async () => (await running(story.client)).length === PODS)
  // EC2 lists new instances with a delay, so Kerf relies on EC2's answers only for older instances.
  await story.pass(310)
  expect((await claimsOf(story)).length).toBeGreaterThanOrEqual(20)
  return story
}

test('one protected instance of twenty: the others end, its claim says what to do, and it ends after that is done', async () => {
  const story = await twentyNodes()
  const { client, aws } = story
  const [guarded] = await claimsOf(story)
  if (guarded === undefined) throw new Error('no claim')
  aws.ec2.protectedInstances.add(claimId(guarded))
  await scale(client, 0)
  await story.until('all the others gone', async () => (await claimsOf(story)).length === 1, 120)
  const calls = aws.ec2.faults.count('terminateInstances')
  await story.pass(600)
  const [left] = await claimsOf(story)
  expect(left?.metadata.name).toBe(guarded.metadata.name)
  expect(left === undefined ? undefined : findCondition(left, 'InstanceTerminating')).toMatchObject({
    status: 'False',
    reason: 'TerminationProtected',
    message: expect.stringContaining(`--instance-id ${claimId(guarded)} --no-disable-api-termination`),
  })
  expect((await eventsOf(story, guarded, 'FailedTermination')).length).toBeGreaterThan(0)
  expect((await client.list(kinds.Node)).items.map(({ spec }) => spec.providerID)).toContain(guarded.status?.providerID)
  // Kerf retries the termination, but at most about once a minute.
  const again = aws.ec2.faults.count('terminateInstances') - calls
  expect(again).toBeGreaterThanOrEqual(8)
  expect(again).toBeLessThanOrEqual(20)
  aws.ec2.protectedInstances.clear()
  await story.until('the last one gone', async () => (await claimsOf(story)).length === 0, 120)
  expect(aws.ec2.living()).toEqual([])
})

/** Removes the tag that Kerf uses to list instances. */
const hide = ({ aws }: FakeAwsStory, id: string): void => {
  const instance = aws.ec2.instances.get(id)
  if (instance === undefined) throw new Error(`no instance ${id}`)
  const Tags = (instance.data.Tags ?? []).filter(({ Key }) => Key !== 'karpenter.sh/nodepool')
  aws.ec2.instances.set(id, { ...instance, data: { ...instance.data, Tags } })
}

test('an instance that loses its tags gets them back; if tagging is forbidden, its claim stays while the instance runs', async () => {
  const story = await twentyNodes()
  const { client, aws } = story
  const [claim] = await claimsOf(story)
  if (claim === undefined) throw new Error('no claim')
  const id = claimId(claim)
  const before = tagsOf(story, id)
  hide(story, id)
  await story.pass(300)
  expect(tagsOf(story, id)).toEqual(before)
  expect(await eventsOf(story, claim, 'InstanceTagsMissing')).toHaveLength(1)

  aws.ec2.faults.standing('createTags', { code: 'UnauthorizedOperation', status: 403 })
  hide(story, id)
  // Without the Node, only EC2 shows that the instance exists.
  const ref = { name: claim.status?.nodeName ?? '' }
  await client.patch(kinds.Node, ref, { type: 'merge', body: { metadata: { finalizers: null } } })
  await client.delete(kinds.Node, ref)
  await story.pass(900)
  const names = (await claimsOf(story)).map(({ metadata }) => metadata.name)
  expect(names).toContain(claim.metadata.name)
  const told = (await eventsOf(story, claim, 'InstanceTagsMissing')).map(({ message }) => message).join()
  expect(told).toContain(`aws ec2 create-tags --resources ${id} --tags Key=karpenter.sh/nodepool,Value=general`)

  await client.delete(karpenterKinds.NodeClaim, { name: claim.metadata.name })
  await story.until(
    'the claim gone',
    async () => (await claimsOf(story)).every(({ metadata }) => metadata.name !== claim.metadata.name),
    120,
  )
  expect(aws.ec2.living().map(({ data }) => data.InstanceId)).not.toContain(id)
})
