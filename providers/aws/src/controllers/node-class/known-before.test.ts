import { findCondition, isConditionTrue } from '@kerf/apis'
import type { Fault } from '@kerf/provider-kit/testing'
import { expect, test } from 'vitest'
import type { EC2NodeClass } from '../../node-class/ec2-node-class.ts'
import { type AwsHarness, createAwsHarness } from '../../testing/aws-harness.ts'
import { reservation } from '../../testing/reservation.ts'

const MINUTE = 60_000
const CONDITIONS = [
  'AMIsReady',
  'CapacityReservationsReady',
  'InstanceProfileReady',
  'PlacementGroupReady',
  'SecurityGroupsReady',
  'SubnetsReady',
  'ValidationSucceeded',
  'Ready',
] as const

const nodeClassStatuses = (nodeClass: EC2NodeClass): readonly (string | undefined)[] =>
  CONDITIONS.map((type) => findCondition(nodeClass, type)?.status)

/** Refuses every call of every service. */
const refuse = ({ aws }: AwsHarness, fault: Fault): void => {
  for (const { faults } of [aws.ec2, aws.ssm, aws.iam, aws.eks, aws.pricing]) faults.chance = () => fault
}
const allow = ({ aws }: AwsHarness): void => {
  for (const { faults } of [aws.ec2, aws.ssm, aws.iam, aws.eks, aws.pricing]) faults.recover()
}

const withHarness = async (harness: AwsHarness, use: (harness: AwsHarness) => Promise<void>): Promise<void> => {
  try {
    await use(harness)
  } finally {
    harness.stop()
  }
}

const everything = (): Promise<AwsHarness> =>
  createAwsHarness({
    spec: { placementGroupSelector: { name: 'near' }, capacityReservationSelectorTerms: [{ id: 'cr-1' }] },
    before: ({ ec2 }) => {
      ec2.placementGroups.push({ GroupId: 'pg-1', GroupName: 'near', Strategy: 'cluster', State: 'available' })
      ec2.reservations.push(reservation())
    },
  })

const notAuthorized = {
  code: 'UnauthorizedOperation',
  status: 403,
  message: 'You are not authorized to perform this operation. User: arn:aws:sts::123456789012:assumed-role/karpenter/x',
}

// Error codes that all actions share (EC2 API reference, "Error codes"; IAM and STS, "Common errors").
test.each<[Fault, RegExp | undefined]>([
  [notAuthorized, /the controller is not authorized; compare its role with "kerf aws policy"/],
  [{ code: 'AuthFailure', status: 401 }, /does not accept the credentials of the controller \(AuthFailure\)/],
  [{ code: 'ExpiredTokenException', status: 400 }, /\(ExpiredToken\)/],
  [{ code: 'RequestExpired', status: 400 }, /\(RequestExpired\)/],
  [{ code: 'SignatureDoesNotMatch', status: 403 }, /\(SignatureDoesNotMatch\)/],
  [{ code: 'OptInRequired', status: 401 }, /does not allow the account to use the service \(OptInRequired/],
  [{ code: 'PendingVerification', status: 400 }, /\(PendingVerification/],
  [{ code: 'Blocked', status: 400 }, /\(Blocked/],
  [{ code: 'RequestLimitExceeded', status: 503 }, undefined],
  [{ code: 'InternalError', status: 500 }, undefined],
  [{ code: 'network' }, undefined],
])(
  'if every call is refused for 25 minutes ($code), a ready class stays ready, and its message says so',
  async (fault, told) => {
    await withHarness(await everything(), async (harness) => {
      const before = await harness.nodeClass()
      expect(nodeClassStatuses(before)).toEqual(CONDITIONS.map(() => 'True'))
      refuse(harness, fault)
      await harness.clock.advance(25 * MINUTE)
      const during = await harness.nodeClass()
      expect(nodeClassStatuses(during)).toEqual(CONDITIONS.map(() => 'True'))
      for (const part of ['amis', 'subnets', 'securityGroups', 'capacityReservations', 'instanceProfile'] as const)
        expect(during.status?.[part], part).toEqual(before.status?.[part])
      const message = findCondition(during, 'SubnetsReady')?.message ?? ''
      const events = harness.events.events.map((event) => event.message)
      if (told === undefined) expect(message).toBe('')
      else {
        expect(message).toMatch(/^continuing with the previous result: /)
        expect(message).toMatch(told)
        expect(events).toContain(message)
      }
      allow(harness)
      await harness.clock.advance(61_000)
      expect(findCondition(await harness.nodeClass(), 'SubnetsReady')?.message ?? '').toBe('')
    })
  },
)

test('a changed class is not ready until its current generation has been resolved', async () => {
  await withHarness(await everything(), async (harness) => {
    refuse(harness, { code: 'AuthFailure', status: 401 })
    await harness.change({ tags: { team: 'a' } })
    await harness.clock.advance(5 * MINUTE)
    const during = await harness.nodeClass()
    expect(findCondition(during, 'SubnetsReady')).toMatchObject({ status: 'Unknown', reason: 'CredentialsRefused' })
    expect(isConditionTrue(during, 'Ready')).toBe(false)
  })
})

test('one minute after the credentials become valid again, the class is ready, however long they were refused', async () => {
  const harness = await createAwsHarness({
    before: ({ ec2, iam, ssm, eks }) => {
      for (const { faults } of [ec2, iam, ssm, eks]) faults.chance = () => ({ code: 'ExpiredToken', status: 400 })
    },
  })
  await withHarness(harness, async () => {
    await harness.clock.advance(120 * MINUTE)
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(false)
    allow(harness)
    await harness.clock.advance(61_000)
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
  })
})

const PINNED = 'v20260101'
const pinnedName = (arch: string, variant: string, kubernetes: string): string =>
  `/aws/service/eks/optimized-ami/${kubernetes}/amazon-linux-2023/${arch}/${variant}/amazon-eks-node-al2023-${arch}-${variant}-${kubernetes}-${PINNED}/image_id`

/** Creates a harness with a node class that pins a version of the alias. The alias has images for the Kubernetes version of the cluster. */
const pinned = (): Promise<AwsHarness> =>
  createAwsHarness({
    settings: { eksControlPlane: true },
    spec: { amiSelectorTerms: [{ alias: `al2023@${PINNED}` }] },
    before: ({ ssm }) => {
      ssm.parameters.set(pinnedName('x86_64', 'standard', '1.34'), 'ami-x86')
      ssm.parameters.set(pinnedName('arm64', 'standard', '1.34'), 'ami-arm')
    },
  })

test('a pinned version without images for a new Kubernetes version keeps its images, and reports that', async () => {
  await withHarness(await pinned(), async (harness) => {
    const before = await harness.nodeClass()
    expect(before.status?.amis?.map(({ id }) => id)).toEqual(['ami-arm', 'ami-x86'])
    harness.aws.eks.version = '1.35'
    await harness.clock.advance(30 * MINUTE)
    // Change a field that does not affect the images.
    await harness.change({ tags: { team: 'a' } })
    await harness.clock.advance(5 * MINUTE)
    const after = await harness.nodeClass()
    expect(after.status?.amis).toEqual(before.status?.amis)
    expect(isConditionTrue(after, 'Ready')).toBe(true)
    const message = findCondition(after, 'AMIsReady')?.message ?? ''
    expect(message).toMatch(
      /no image of AL2023 in version v20260101 for Kubernetes 1\.35, so the previous images stay in use/,
    )
    expect(harness.events.events.map((event) => event.message)).toContain(message)
    // Kerf still finds images that AWS publishes later.
    harness.aws.ssm.parameters.set(pinnedName('x86_64', 'standard', '1.35'), 'ami-gpu')
    await harness.clock.advance(5 * MINUTE)
    const found = await harness.nodeClass()
    expect(found.status?.amis?.map(({ id }) => id)).toEqual(['ami-gpu'])
    expect(findCondition(found, 'AMIsReady')?.message ?? '').toBe('')
  })
})

test('a version that was never published has no earlier images to keep', async () => {
  await withHarness(await pinned(), async (harness) => {
    await harness.change({ amiSelectorTerms: [{ alias: 'al2023@v20990101' }] })
    await harness.clock.advance(5 * MINUTE)
    const after = await harness.nodeClass()
    expect(findCondition(after, 'AMIsReady')).toMatchObject({ status: 'False', reason: 'AMINotFound' })
    expect(findCondition(after, 'AMIsReady')?.message).toMatch(/v20990101 for Kubernetes 1\.34; choose a version/)
    expect(after.status?.amis ?? []).toEqual([])
  })
})

test('EKS returns no version, and later a newer one', async () => {
  const harness = await createAwsHarness({
    settings: { eksControlPlane: true },
    before: ({ eks }) => {
      eks.version = undefined
    },
  })
  await withHarness(harness, async () => {
    await harness.clock.advance(5 * MINUTE)
    const during = await harness.nodeClass()
    expect(findCondition(during, 'AMIsReady')?.status).toBe('Unknown')
    expect(during.status?.amis ?? []).toEqual([])
    harness.aws.eks.version = '1.36'
    await harness.clock.advance(61_000)
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
    harness.aws.eks.version = undefined
    await harness.clock.advance(30 * MINUTE)
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
  })
})
