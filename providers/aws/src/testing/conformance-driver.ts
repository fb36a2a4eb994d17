import { labels } from '@kerf/apis'
import type { ConformanceDriver, ConformanceHarness, FailureKind, FakeCloud } from '@kerf/provider-contract/conformance'
import type { Fault } from '@kerf/provider-kit/testing'
import { tagMap } from '../api/aws-api.ts'
import { aws } from '../descriptor.ts'
import { awsProviderId, parseProviderId } from '../instances/provider-id.ts'
import { awsTags, clusterTag } from '../labels.ts'
import { ec2NodeClassKind } from '../node-class/ec2-node-class.ts'
import { type AwsHarness, CLASS, createAwsHarness, never, TERMINATION_DELAY } from './aws-harness.ts'
import { harnesses } from './conformance-harnesses.ts'
import { notApplicable } from './not-applicable.ts'
import { ownChecks } from './own-checks/own-checks.ts'

const failures: Readonly<Record<FailureKind, Fault>> = {
  throttle: { code: 'RequestLimitExceeded', status: 503 },
  auth: {
    code: 'UnauthorizedOperation',
    status: 403,
    message:
      'You are not authorized to perform: ec2:CreateFleet on resource: arn:aws:ec2:us-east-1:123456789012:fleet/*',
  },
  network: { code: 'network' },
  serverError: { code: 'InternalError', status: 500 },
}

const calls = {
  launch: ['createFleet'],
  terminate: ['terminateInstances'],
  describe: ['describeInstances'],
  list: ['listInstances'],
} as const

const ownTags = (pool: string): Readonly<Record<string, string>> => ({
  [awsTags.nodePool]: pool,
  [awsTags.nodeClass]: CLASS,
  [awsTags.clusterName]: 'demo',
  [clusterTag('demo')]: 'owned',
})

const fakeCloud = ({ aws: { ec2 } }: AwsHarness): FakeCloud => ({
  instances: async () =>
    ec2.living().map(({ data, endsAt }) => ({
      providerID: awsProviderId(data.Placement?.AvailabilityZone ?? '', data.InstanceId),
      state: endsAt === undefined ? ('running' as const) : ('terminating' as const),
      tags: tagMap(data.Tags),
    })),
  fail: (call, kind) => {
    for (const each of calls[call]) ec2.faults.standing(each, failures[kind])
  },
  failAfterwards: (call, kind) => {
    for (const each of calls[call]) ec2.faults.standing(each, { ...failures[kind], afterwards: true })
  },
  recover: () => ec2.faults.recover(),
  stockOut: (pattern) => ec2.stockOuts.push(pattern),
  restock: () => {
    ec2.stockOuts.length = 0
  },
  count: (call) => ec2.faults.count(...calls[call]),
  plantForeign: async () =>
    awsProviderId('us-east-1a', ec2.plant({ ...ownTags('default'), [awsTags.clusterName]: 'other' })),
  plantLeaked: async (age) => awsProviderId('us-east-1a', ec2.plant(ownTags('default'), age)),
  vanish: async (providerID) => {
    ec2.end(parseProviderId(providerID)?.instanceId ?? '')
  },
})

/** Brings the node class into the given state by causes that also occur in real accounts: selectors find nothing, or calls are refused. */
const setNodeClass = async (
  harness: AwsHarness,
  state: 'missing' | 'deleting' | 'notReady' | 'unknown',
): Promise<void> => {
  const { client, clock, aws } = harness
  const ref = { name: CLASS }
  const finalizers = (value: readonly string[] | null) =>
    client.patch(ec2NodeClassKind, ref, { type: 'merge', body: { metadata: { finalizers: value } } })
  switch (state) {
    case 'missing':
      await finalizers(null).catch(() => undefined)
      await client.delete(ec2NodeClassKind, ref).catch(() => undefined)
      break
    case 'deleting':
      await finalizers(['example.com/mine'])
      await client.delete(ec2NodeClassKind, ref)
      break
    case 'notReady':
      await harness.change({ subnetSelectorTerms: [{ tags: { no: 'such' } }] })
      break
    case 'unknown':
      aws.ec2.faults.standing('describeImages', { code: 'AuthFailure', status: 401 })
      await harness.change({ subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': '*' } }] })
  }
  await clock.advance(1_000)
}

/** The driver of the conformance suite for the AWS provider, with an in-memory AWS. */
export const awsDriver: ConformanceDriver = {
  name: 'AWS',
  descriptor: aws,
  createHarness: async (seed) => {
    const own = await createAwsHarness({ seed, settings: { interruptionQueue: 'demo' } })
    const harness: ConformanceHarness = {
      ...own,
      cloud: fakeCloud(own),
      restart: () => {
        const fresh = own.newProvider()
        const warm = fresh.warmUp(never)
        const { create, instanceTypes } = fresh
        // As in a real process, the provider reads the prices before it plans or launches.
        fresh.create = async (claim, signal) => warm.then(() => create.call(fresh, claim, signal))
        fresh.instanceTypes = async (pool, signal) => warm.then(() => instanceTypes.call(fresh, pool, signal))
        harness.provider = fresh
      },
      setNodeClass: (state) => setNodeClass(own, state),
    }
    harnesses.keep(harness, own)
    return harness
  },
  providerID: /^aws:\/\/\/us-east-1[abc]\/i-[0-9a-f]{17}$/,
  ownershipTags: (claim) => ({
    ...ownTags(claim.metadata.labels?.[labels.nodePool] ?? ''),
    [awsTags.nodeClaim]: claim.metadata.name,
  }),
  unavailableFor: 180_000,
  terminationDelay: TERMINATION_DELAY,
  own: ownChecks,
  notApplicable,
}
