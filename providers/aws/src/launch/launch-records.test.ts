import { formatTime, karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { nodeClaim } from '@kerf/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AwsInstance } from '../instances/aws-instance.ts'
import { awsTags } from '../labels.ts'
import { type AwsHarness, createAwsHarness, never } from '../testing/aws-harness.ts'
import { is } from '../testing/offered-type.ts'
import { couldBeFor } from './launch-records.ts'
import { claimDigest, launchedForValue } from './launched-for.ts'

const BORN = Date.UTC(2026, 0, 1)

const claim: NodeClaim = nodeClaim('claim', {
  pool: 'default',
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [
      is(labels.instanceType, 'm5.large'),
      is(labels.zone, 'us-east-1a'),
      is(labels.capacityType, 'on-demand'),
    ].map(({ values = [], ...rest }) => ({ ...rest, values: [...values] })),
  },
  metadata: { uid: 'uid-1', creationTimestamp: formatTime(BORN) },
})
/** The tag value for a fleet of thirty NodeClaims, including `uid-1`. It is a Bloom filter, not a list. */
const filter = launchedForValue(['uid-1', ...Array.from({ length: 29 }, (_, index) => `other-${index}`)])

const instance = (tags: Readonly<Record<string, string>>, more: Partial<AwsInstance> = {}): AwsInstance => ({
  id: 'i-1',
  type: 'm5.large',
  zone: 'us-east-1a',
  imageId: 'ami-1',
  capacityType: 'on-demand',
  isEnding: false,
  isGone: false,
  tenancy: 'default',
  efaCount: 0,
  launchedAt: BORN + 1_000,
  securityGroupIds: [],
  ...more,
  tags: { [awsTags.nodePool]: 'default', [awsTags.nodeClass]: 'default', ...tags },
})
const listed = { [awsTags.launchedFor]: claimDigest('uid-1') }
const filtered = { [awsTags.launchedFor]: filter }

test('an instance whose tag lists the claim, or that has the claim’s name tag, belongs to the claim', () => {
  const odd = { type: 'c5.large', zone: 'us-east-1b', launchedAt: BORN - 3_600_000 }
  expect(couldBeFor(instance(listed, odd), claim)).toBe(true)
  expect(couldBeFor(instance({ ...filtered, [awsTags.nodeClaim]: 'claim' }, odd), claim)).toBe(true)
  expect(couldBeFor(instance({ ...listed, [awsTags.nodeClaim]: 'other' }), claim)).toBe(false)
  expect(couldBeFor(instance({ [awsTags.nodeClaim]: 'claim' }), claim)).toBe(false)
  expect(couldBeFor(instance({ [awsTags.launchedFor]: claimDigest('uid-2') }), claim)).toBe(false)
})

test.each<[string, Readonly<Record<string, string>>, Partial<AwsInstance>, boolean]>([
  ['is what the claim admits', {}, {}, true],
  ['was launched as the claim was made, by another clock', {}, { launchedAt: BORN - 60_000 }, true],
  ['is older than the claim', {}, { launchedAt: BORN - 60_001 }, false],
  ['does not say when it was launched', {}, { launchedAt: undefined as never }, true],
  ['is of another pool', { [awsTags.nodePool]: 'other' }, {}, false],
  ['is of another class', { [awsTags.nodeClass]: 'other' }, {}, false],
  ['is of another type', {}, { type: 'c5.large' }, false],
  ['is in another zone', {}, { zone: 'us-east-1b' }, false],
  ['was bought otherwise', {}, { capacityType: 'spot' }, false],
])('in a large fleet, an instance that %s', (_what, tags, facts, expected) => {
  expect(couldBeFor(instance({ ...filtered, ...tags }, facts), claim)).toBe(expected)
})

test('for a claim without a creation time, the age is not compared', () => {
  const { creationTimestamp: _, ...metadata } = claim.metadata
  expect(couldBeFor(instance(filtered, { launchedAt: 0 }), { ...claim, metadata })).toBe(true)
})

const startHarness = async (): Promise<AwsHarness> => {
  const harness = await createAwsHarness()
  onTestFinished(() => harness.stop())
  return harness
}
const instanceId = ({ providerID }: { readonly providerID: string }): string => providerID.split('/').at(-1) ?? ''
/** Returns a function that counts the searches for a NodeClaim's instances, including the listings of garbage collection. */
const lookUps = ({ aws }: AwsHarness): (() => number) => {
  const query = vi.spyOn(aws.ec2, 'describeInstances')
  return () =>
    query.mock.calls.filter(([{ filters }]) => filters.some(({ Name }) => Name === `tag:${awsTags.launchedFor}`)).length
}
/** Adds an instance as if an earlier run had launched it for the NodeClaim. */
const plantFor = ({ aws }: AwsHarness, uid: string): string =>
  aws.ec2.plant({
    [awsTags.nodePool]: 'default',
    [awsTags.nodeClass]: 'default',
    [awsTags.clusterName]: 'demo',
    [awsTags.launchedFor]: claimDigest(uid),
  })

test('a claim that is created twice gets one instance, without a search in EC2', async () => {
  const harness = await startHarness()
  const wanted = await harness.claim('a')
  const first = await harness.provider.create(wanted, never)
  const looks = lookUps(harness)
  expect((await harness.provider.create(wanted, never)).providerID).toBe(first.providerID)
  expect([harness.aws.ec2.launches.length, looks()]).toEqual([1, 0])
})

test('a terminating instance does not count, so another one is launched', async () => {
  const harness = await startHarness()
  const wanted = await harness.claim('a')
  const first = await harness.provider.create(wanted, never)
  await harness.aws.ec2.terminateInstances([instanceId(first)], never)
  await harness.clock.advance(1_000)
  await harness.provider.list(never)
  expect((await harness.provider.create(wanted, never)).providerID).not.toBe(first.providerID)
})

test('a claim that is created a minute after the first launch of this run is launched without a search', async () => {
  const harness = await startHarness()
  const looks = lookUps(harness)
  await harness.provider.create(await harness.claim('a'), never)
  expect(looks()).toBe(1)
  await harness.clock.advance(60_000)
  await harness.provider.create(await harness.claim('b'), never)
  expect(looks()).toBe(2)
  await harness.clock.advance(1_000)
  await harness.provider.create(await harness.claim('c'), never)
  expect(looks()).toBe(2)
})

test('an instance of an earlier process is found by its tag: the first that is alive and that no other claim uses', async () => {
  const harness = await startHarness()
  const wanted = await harness.claim('a')
  const uid = wanted.metadata.uid ?? ''
  const [ending, taken, free, spare] = Array.from({ length: 4 }, () => plantFor(harness, uid))
  await harness.aws.ec2.terminateInstances([ending ?? ''], never)
  const other = await harness.claim('b')
  await harness.client.patch(
    karpenterKinds.NodeClaim,
    { name: other.metadata.name },
    { type: 'merge', body: { status: { providerID: `aws:///us-east-1a/${taken}` } } },
    { subresource: 'status' },
  )
  await harness.clock.advance(1_000)
  expect(instanceId(await harness.provider.create(wanted, never))).toBe(free)
  expect(harness.aws.ec2.living().map(({ data }) => data.InstanceId)).toContain(spare)
  // It is remembered.
  const looks = lookUps(harness)
  expect(instanceId(await harness.provider.create(wanted, never))).toBe(free)
  expect(looks()).toBe(0)
})

test('after a refused launch no search is needed; after an interrupted launch one is needed', async () => {
  const harness = await startHarness()
  await harness.provider.create(await harness.claim('a'), never)
  await harness.clock.advance(120_000)
  const looks = lookUps(harness)
  const wanted = await harness.claim('b')
  const { faults } = harness.aws.ec2
  faults.next('createFleet', { code: 'UnauthorizedOperation', status: 403 })
  await expect(harness.provider.create(wanted, never)).rejects.toThrow()
  await harness.provider.create(wanted, never)
  expect(looks()).toBe(0)
  const third = await harness.claim('c')
  faults.next('createFleet', { code: 'network', afterwards: true })
  faults.next('createFleet', { code: 'UnauthorizedOperation', status: 403 })
  await expect(harness.provider.create(third, never)).rejects.toThrow()
  const launched = harness.aws.ec2.launches.length
  expect(instanceId(await harness.provider.create(third, never))).toBe(harness.aws.ec2.launches.at(-1)?.id)
  expect([looks(), harness.aws.ec2.launches.length]).toEqual([1, launched])
})
