import { findCondition, isConditionTrue } from '@kerf/apis'
import { expect, test } from 'vitest'
import type { EC2NodeClassSpec } from '../../node-class/ec2-node-class.ts'
import { type AwsHarnessOptions, createAwsHarness } from '../../testing/aws-harness.ts'

/** EC2's error for a call that the controller's role does not allow. */
const refusal = (action: string, resource = '') => ({
  code: 'UnauthorizedOperation',
  status: 403,
  message: `You are not authorized to perform: ${action}${resource} because no identity-based policy allows it. Encoded authorization failure message: abc`,
})

interface Case {
  readonly wrong: string
  readonly spec?: Partial<EC2NodeClassSpec>
  readonly before?: AwsHarnessOptions['before']
  readonly condition: string
  readonly status: 'False' | 'Unknown'
  readonly reason: string
  /** Matches a message that contains the cause and the remedy. */
  readonly message: RegExp
}

const cases: readonly Case[] = [
  {
    wrong: 'subnet terms find nothing',
    spec: { subnetSelectorTerms: [{ tags: { no: 'such' } }] },
    condition: 'SubnetsReady',
    status: 'False',
    reason: 'SubnetsNotFound',
    message: /match no subnet; check IDs, tags/,
  },
  {
    wrong: 'security group terms find nothing',
    spec: { securityGroupSelectorTerms: [{ id: 'sg-0' }] },
    condition: 'SecurityGroupsReady',
    status: 'False',
    reason: 'SecurityGroupsNotFound',
    message: /match no security group; check/,
  },
  {
    wrong: 'image terms find nothing',
    spec: { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-0' }] },
    condition: 'AMIsReady',
    status: 'False',
    reason: 'AMINotFound',
    message: /match no image .* check IDs, names, owners and tags/,
  },
  {
    wrong: 'the images are of an architecture that nodes cannot have',
    spec: { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-old' }] },
    before: ({ ec2 }) => ec2.images.push({ ImageId: 'ami-old', Architecture: 'i386', State: 'available' }),
    condition: 'AMIsReady',
    status: 'False',
    reason: 'AMINotFound',
    message: /x86_64 or arm64/,
  },
  {
    wrong: 'AWS publishes no such image any more',
    spec: { amiSelectorTerms: [{ alias: 'al2@latest' }] },
    condition: 'AMIsReady',
    status: 'False',
    reason: 'UnsupportedAlias',
    message: /no AL2 images for Kubernetes 1\.36; use an alias of al2023/,
  },
  {
    wrong: 'the role does not exist',
    spec: { role: 'nobody' },
    condition: 'InstanceProfileReady',
    status: 'Unknown',
    reason: 'RoleNotFound',
    message: /role nobody does not exist; create it, or correct spec\.role/,
  },
  {
    wrong: 'the controller may not list subnets',
    before: ({ ec2 }) => ec2.faults.standing('describeSubnets', refusal('ec2:DescribeSubnets')),
    condition: 'SubnetsReady',
    status: 'Unknown',
    reason: 'Unauthorized',
    message: /does not allow ec2:DescribeSubnets; add it, see "kerf aws policy"/,
  },
  {
    wrong: 'the credentials have expired',
    before: ({ ec2 }) => ec2.faults.standing('describeSecurityGroups', { code: 'ExpiredToken', status: 401 }),
    condition: 'SecurityGroupsReady',
    status: 'Unknown',
    reason: 'CredentialsRefused',
    message: /does not accept the credentials .*ExpiredToken.*check its region and the role/,
  },
  {
    wrong: 'launches are not allowed',
    before: ({ ec2 }) =>
      ec2.faults.standing(
        'tryFleet',
        refusal('ec2:CreateFleet', ' on resource: arn:aws:ec2:us-east-1:123456789012:fleet/*'),
      ),
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'CreateFleetAuthCheckFailed',
    message: /does not allow ec2:CreateFleet on arn:aws:ec2:us-east-1:123456789012:fleet\/\*/,
  },
  {
    wrong: 'instances are not allowed',
    before: ({ ec2 }) => ec2.faults.standing('tryRunInstances', refusal('ec2:RunInstances')),
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'RunInstancesAuthCheckFailed',
    message: /does not allow ec2:RunInstances/,
  },
  {
    wrong: 'launch templates are not allowed',
    before: ({ ec2 }) => ec2.faults.standing('createLaunchTemplate', refusal('ec2:CreateLaunchTemplate')),
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'CreateLaunchTemplateAuthCheckFailed',
    message: /does not allow ec2:CreateLaunchTemplate/,
  },
  {
    wrong: 'the given profile does not exist',
    spec: { instanceProfile: 'mine', role: undefined as never },
    before: ({ ec2 }) =>
      ec2.faults.standing('tryRunInstances', {
        code: 'InvalidParameterValue',
        message: 'Invalid IAM Instance Profile name',
      }),
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'InstanceProfileNotFound',
    message: /the instance profile mine does not exist; create it/,
  },
  {
    wrong: 'the user data is too large',
    spec: { userData: `#!/bin/sh\n${'# padding\n'.repeat(2_000)}` },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'UserDataSizeLimitExceeded',
    message: /16384 bytes.*shorten spec\.userData/,
  },
  {
    wrong: 'the user data is not MIME',
    spec: { userData: 'Content-Type: multipart/mixed\n\nno boundary' },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'UserDataInvalid',
    message: /spec\.userData is not valid MIME/,
  },
  {
    wrong: 'the kubelet cannot be configured so',
    spec: { kubelet: { evictionHard: { 'memory.free': '5%' }, maxPods: -1 } },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'InvalidKubeletConfiguration',
    message: /memory\.free.*unknown signal.*maxPods: -1 is negative/,
  },
  {
    wrong: 'EKS does not tell the service addresses',
    before: ({ eks }) => eks.faults.standing('describeCluster', { code: 'ResourceNotFoundException', status: 404 }),
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'ClusterCIDRResolutionFailed',
    message: /allow eks:DescribeCluster, and check CLUSTER_NAME and AWS_REGION/,
  },
  {
    wrong: 'the placement group does not exist',
    spec: { placementGroupSelector: { name: 'near' } },
    condition: 'PlacementGroupReady',
    status: 'False',
    reason: 'PlacementGroupNotFound',
    message: /no usable placement group near .*; create it, or correct placementGroupSelector/,
  },
]

test.each(cases)(
  '$wrong: a condition with cause and remedy, and an event',
  async ({ spec, before, condition, status, reason, message }) => {
    const harness = await createAwsHarness({
      ...(spec === undefined ? {} : { spec }),
      ...(before === undefined ? {} : { before }),
    })
    try {
      await harness.clock.advance(5_000)
      const nodeClass = await harness.nodeClass()
      const found = findCondition(nodeClass, condition)
      expect(found).toMatchObject({ status, reason })
      expect(found?.message).toMatch(message)
      expect(isConditionTrue(nodeClass, 'Ready')).toBe(false)
      const told = harness.events.events.filter((event) => event.object.metadata.name === 'default')
      expect(told.map((event) => event.message)).toContain(found?.message)
      // All other conditions are still resolved.
      if (condition !== 'SubnetsReady') expect(isConditionTrue(nodeClass, 'SubnetsReady')).toBe(true)
    } finally {
      harness.stop()
    }
  },
)

test('throttling and service errors leave the conditions unchanged, because they end without help', async () => {
  const harness = await createAwsHarness()
  try {
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
    for (const call of ['describeSubnets', 'describeImages', 'describeSecurityGroups'])
      harness.aws.ec2.faults.standing(call, { code: 'RequestLimitExceeded', status: 503 })
    await harness.clock.advance(30 * 60_000)
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
    harness.aws.ec2.faults.recover()
    await harness.change({ tags: { team: 'a' } })
    await harness.clock.advance(60_000)
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
  } finally {
    harness.stop()
  }
})

test('a class whose selectors are corrected becomes ready without a restart', async () => {
  const harness = await createAwsHarness({
    before: ({ ec2 }) => ec2.faults.standing('tryRunInstances', refusal('ec2:RunInstances')),
  })
  try {
    expect(isConditionTrue(await harness.nodeClass(), 'ValidationSucceeded')).toBe(false)
    harness.aws.ec2.faults.recover()
    // Kerf caches a refusal for half an hour. Adding an annotation would trigger a new trial earlier.
    await harness.clock.advance(31 * 60_000)
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
  } finally {
    harness.stop()
  }
})

test('if trials are disabled, no launch is tried', async () => {
  const harness = await createAwsHarness({ settings: { disableDryRun: true } })
  try {
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
    expect(harness.aws.ec2.faults.count('tryFleet', 'tryRunInstances', 'createLaunchTemplate')).toBe(0)
  } finally {
    harness.stop()
  }
})

test('another role gets another profile; the old profile is kept while it may be in use, and then deleted', async () => {
  const harness = await createAwsHarness({ before: ({ iam }) => iam.roles.add('other') })
  try {
    const before = (await harness.nodeClass()).status?.instanceProfile ?? ''
    await harness.change({ role: 'team/other' })
    const after = (await harness.nodeClass()).status?.instanceProfile ?? ''
    expect(after).not.toBe(before)
    expect(harness.aws.iam.profiles.get(after)?.roles).toEqual(['other'])
    expect([...harness.aws.iam.profiles.keys()].toSorted()).toEqual([before, after].toSorted())
    // Kerf ignores the path of the role, so it creates no second profile when the cache entry expires. It deletes the old profile.
    await harness.clock.advance(3 * 3_600_000)
    expect([...harness.aws.iam.profiles.keys()]).toEqual([after])
  } finally {
    harness.stop()
  }
})
