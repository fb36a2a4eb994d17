import { findCondition, isConditionTrue, karpenterKinds, type NodePool } from '@kerf/apis'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { type AwsHarnessOptions, createAwsHarness } from '../../testing/aws-harness.ts'
import { ec2Type } from '../../testing/type-table.ts'

type Requirements = NonNullable<NodePool['spec']['template']['spec']['requirements']>

/** Creates a harness with a NodePool that has these requirements, then changes the node class so that the controller resolves it again. */
const harnessWith = async (requirements: Requirements, before: NonNullable<AwsHarnessOptions['before']>) => {
  const harness = await createAwsHarness({
    before: ({ ec2 }) => {
      ec2.types = [...ec2.types, ec2Type('a1.large')]
    },
  })
  await harness.client.create(
    karpenterKinds.NodePool,
    nodePool('default', {
      requirements,
      templateSpec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' } },
    }),
  )
  await harness.clock.advance(1_000)
  harness.aws.ec2.triedTypes.length = 0
  before(harness.aws)
  await harness.change({ tags: { changed: 'yes' } })
  return harness
}

/** EC2's error for an instance type that a zone, image or option does not support. */
const unsupported = (type: string) => ({
  code: 'Unsupported',
  message: `Your requested instance type (${type}) is not supported in your requested Availability Zone (us-east-1a).`,
})

const sizes = (...values: string[]): Requirements => [
  { key: 'node.kubernetes.io/instance-type', operator: 'In', values },
]

test('the trial uses the cheapest type that the NodePools of the class allow', async () => {
  const harness = await harnessWith(sizes('m5.4xlarge', 'm5.xlarge', 'a1.large'), () => undefined)
  try {
    // An a1 instance would be cheaper, but AL2023 does not run on it.
    expect([...new Set(harness.aws.ec2.triedTypes)]).toEqual(['m5.xlarge'])
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
  } finally {
    harness.stop()
  }
})

test.each(['tryFleet', 'tryRunInstances'] as const)(
  'if %s refuses a type by name, another family is tried',
  async (call) => {
    const harness = await harnessWith(sizes('t3.medium', 't3.large', 'm5.large'), ({ ec2 }) => {
      ec2.refusalOfType = (type) =>
        type.startsWith('t3') && ec2.faults.calls.at(-1) === call ? unsupported(type) : undefined
    })
    try {
      expect([...new Set(harness.aws.ec2.triedTypes)]).toEqual(['t3.medium', 'm5.large'])
      expect(isConditionTrue(await harness.nodeClass(), 'ValidationSucceeded')).toBe(true)
      // The refused instance type is not tried again.
      harness.aws.ec2.triedTypes.length = 0
      await harness.change({ tags: { changed: 'again' } })
      expect([...new Set(harness.aws.ec2.triedTypes)]).toEqual(['m5.large'])
    } finally {
      harness.stop()
    }
  },
)

test('when every type is refused, the class is not ready, and all types are tried again', async () => {
  const harness = await createAwsHarness({
    before: ({ ec2 }) => {
      ec2.refusalOfType = unsupported
    },
  })
  try {
    // No NodePool has requirements, so the trial uses instance types that most accounts can launch.
    expect([...new Set(harness.aws.ec2.triedTypes)].toSorted()).toEqual(['m5.large', 'm6g.large'])
    expect(isConditionTrue(await harness.nodeClass(), 'ValidationSucceeded')).toBe(false)
    harness.aws.ec2.refusalOfType = undefined
    await harness.clock.advance(20 * 60_000)
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
  } finally {
    harness.stop()
  }
})

test('a refusal that does not depend on the type is the result for all types', async () => {
  const harness = await harnessWith(sizes('t3.medium', 'm5.large'), ({ ec2 }) =>
    ec2.faults.standing('tryRunInstances', {
      code: 'UnauthorizedOperation',
      status: 403,
      message: 'You are not authorized to perform: ec2:RunInstances because no identity-based policy allows it.',
    }),
  )
  try {
    expect([...new Set(harness.aws.ec2.triedTypes)]).toEqual(['t3.medium'])
    expect(findCondition(await harness.nodeClass(), 'ValidationSucceeded')?.reason).toBe('RunInstancesAuthCheckFailed')
  } finally {
    harness.stop()
  }
})

const DENY = 'with an explicit deny in a service control policy'
/**
 * EC2's message when a policy denies a launch. It contains neither the instance type nor the zone (aws/karpenter-provider-aws issues 7370
 * and 5185).
 */
const denied = (resource = 'instance/*', why = DENY) => ({
  code: 'UnauthorizedOperation',
  status: 403,
  message: `You are not authorized to perform this operation. User: arn:aws:sts::123456789012:assumed-role/k/1 is not authorized to perform: ec2:RunInstances on resource: arn:aws:ec2:us-east-1:123456789012:${resource} ${why}. Encoded authorization failure message: abc`,
})
const MISSING = 'because no identity-based policy allows the ec2:RunInstances action'

test.each([
  ['a service control policy', denied()],
  ['an allow list of the role', denied('instance/*', MISSING)],
  ['a policy for images', denied('image/ami-0123456789abcdef0')],
  ['an answer in cipher', { ...denied(), message: denied().message.replace(/User: .*(?=Encoded)/, '') }],
])('%s that denies one type leaves the class ready for the others, and reports the type', async (_, fault) => {
  const harness = await harnessWith(sizes('c5.large', 'm5.large', 'r5.large', 'm5.xlarge'), ({ ec2 }) => {
    ec2.policy = ({ type }) => (type === 'c5.large' ? fault : undefined)
  })
  try {
    const nodeClass = await harness.nodeClass()
    expect(isConditionTrue(nodeClass, 'Ready')).toBe(true)
    expect(findCondition(nodeClass, 'ValidationSucceeded')?.message).toContain('except for those of type c5.large: ')
  } finally {
    harness.stop()
  }
})

test('when a policy denies every tried type, the class is not ready, and the message names the types', async () => {
  const harness = await harnessWith(sizes('c5.large', 'm5.large', 'r5.large'), ({ ec2 }) => {
    ec2.policy = () => denied()
  })
  try {
    expect(findCondition(await harness.nodeClass(), 'ValidationSucceeded')).toMatchObject({
      status: 'False',
      reason: 'CreateFleetAuthCheckFailed',
      message: expect.stringMatching(/a service control policy denies ec2:RunInstances .*tried .*c5\.large/),
    })
  } finally {
    harness.stop()
  }
})

test('if a policy denies one subnet, or on-demand while a pool allows spot, the class stays ready', async () => {
  const harness = await harnessWith(sizes('m5.large'), ({ ec2 }) => {
    ec2.policy = ({ subnet }) => (subnet === 'subnet-a' ? denied('subnet/subnet-a') : undefined)
  })
  try {
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
    harness.aws.ec2.policy = ({ capacityType }) => (capacityType === 'on-demand' ? denied() : undefined)
    await harness.change({ tags: { changed: 'again' } })
    expect(isConditionTrue(await harness.nodeClass(), 'Ready')).toBe(true)
  } finally {
    harness.stop()
  }
})
