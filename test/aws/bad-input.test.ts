import {
  apiVersionOf,
  type EC2NodeClassSpec,
  findCondition,
  isConditionTrue,
  karpenterKinds,
  kinds,
  type Pod,
} from '@kerf/apis'
import type { FakeAws, Fault } from '@kerf/provider-aws/testing'
import { isInvalid, type KubeClient } from '@kerf/runtime'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FakeAwsOptions, type FakeAwsStory, startFakeAwsStory } from './kerf-on-fake-aws.ts'
import { nodePool } from './manifests.ts'

const discovery = { 'karpenter.sh/discovery': 'demo' }
const goodSpec: EC2NodeClassSpec = {
  role: 'KarpenterNodeRole-demo',
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  subnetSelectorTerms: [{ tags: discovery }],
  securityGroupSelectorTerms: [{ tags: discovery }],
}

const createClass = (client: KubeClient, name: string, spec: EC2NodeClassSpec) =>
  client.create(karpenterKinds.EC2NodeClass, {
    apiVersion: apiVersionOf(karpenterKinds.EC2NodeClass),
    kind: 'EC2NodeClass',
    metadata: { name },
    spec,
  })

/** A pool of the class of the same name. */
const createPool = (client: KubeClient, name: string) => {
  const pool = nodePool()
  const { template } = pool.spec
  const nodeClassRef = { ...template.spec.nodeClassRef, name }
  return client.create(karpenterKinds.NodePool, {
    ...pool,
    metadata: { name },
    spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } },
  })
}

/** A pod that only the pool may get a node for. */
const createPod = (client: KubeClient, pool: string, name = `for-${pool}`) =>
  client.create(kinds.Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      nodeSelector: { 'karpenter.sh/nodepool': pool },
      containers: [{ name: 'app', image: 'nginx', resources: { requests: { cpu: '1500m' } } }],
    },
  })

const isRunning = async (client: KubeClient, name: string): Promise<boolean> => {
  const pod: Pod = await client.get(kinds.Pod, { namespace: 'default', name })
  return pod.status?.phase === 'Running'
}

interface Case {
  readonly name: string
  readonly wrong: string
  readonly spec: Partial<EC2NodeClassSpec>
  readonly condition: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  /** Cause and remedy. */
  readonly message: RegExp
}

/** What is wrong with one class. */
const cases: readonly Case[] = [
  {
    name: 'no-subnets',
    wrong: 'subnet terms match nothing',
    spec: { subnetSelectorTerms: [{ tags: { no: 'such' } }] },
    condition: 'SubnetsReady',
    status: 'False',
    reason: 'SubnetsNotFound',
    message: /subnetSelectorTerms find no subnet; check ids and tags, and the region/,
  },
  {
    name: 'no-groups',
    wrong: 'security group terms match nothing',
    spec: { securityGroupSelectorTerms: [{ name: 'none' }] },
    condition: 'SecurityGroupsReady',
    status: 'False',
    reason: 'SecurityGroupsNotFound',
    message: /securityGroupSelectorTerms find no security group; check ids, names and tags, and the region/,
  },
  {
    name: 'no-images',
    wrong: 'image terms match nothing',
    spec: { amiFamily: 'AL2023', amiSelectorTerms: [{ name: 'none-*' }] },
    condition: 'AMIsReady',
    status: 'False',
    reason: 'AMINotFound',
    message: /amiSelectorTerms find no image .*; check ids, names, owners and tags/,
  },
  {
    name: 'no-architecture',
    wrong: 'the images are for no architecture that nodes have',
    spec: { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-old' }] },
    condition: 'AMIsReady',
    status: 'False',
    reason: 'AMINotFound',
    message: /no image for x86_64 or arm64; check/,
  },
  {
    name: 'unknown-family',
    wrong: 'the family is unknown',
    spec: { amiFamily: 'Ubuntu' as never, amiSelectorTerms: [{ id: 'ami-x86' }] },
    condition: 'AMIsReady',
    status: 'False',
    reason: 'UnknownAMIFamily',
    message: /Ubuntu is no family of images that Kerf knows; set spec\.amiFamily to one of AL2, AL2023, Bottlerocket/,
  },
  {
    name: 'no-role',
    wrong: 'the role does not exist',
    spec: { role: 'nobody' },
    condition: 'InstanceProfileReady',
    status: 'Unknown',
    reason: 'RoleNotFound',
    message: /the IAM role nobody does not exist; create it, or correct spec\.role/,
  },
  {
    name: 'full-subnet',
    wrong: 'no subnet has a free address',
    spec: { subnetSelectorTerms: [{ id: 'subnet-full' }] },
    condition: 'SubnetsReady',
    status: 'True',
    reason: 'SubnetsReady',
    message:
      /none of the 1 subnets has a free address.*; select more subnets with subnetSelectorTerms, or free addresses/,
  },
  {
    name: 'not-mime',
    wrong: 'the user data is not MIME',
    spec: { userData: 'MIME-Version: 1.0\nContent-Type: multipart/mixed\n\nno boundary' },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'UserDataInvalid',
    message: /spec\.userData is not MIME as it should be: .*boundary.*; write a multipart\/mixed document/,
  },
  {
    name: 'not-toml',
    wrong: 'the user data is not TOML',
    spec: { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }], userData: '[settings\nenabled = ' },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'UserDataInvalid',
    message: /spec\.userData is not TOML as it should be: .*; /,
  },
  {
    name: 'not-yaml',
    wrong: 'the user data is not YAML',
    spec: { userData: 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {kubelet: [' },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'UserDataInvalid',
    message: /spec\.userData is not YAML as it should be: .*; correct the NodeConfig, or begin a shell script with #!/,
  },
  {
    name: 'reserved-tags',
    wrong: 'tags are reserved',
    spec: { tags: { 'karpenter.sh/nodepool': 'mine', 'kubernetes.io/cluster/other': 'owned' } },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'TagValidationFailed',
    message:
      /only the controller may set the tags karpenter\.sh\/nodepool, kubernetes\.io\/cluster\/other; take them out of spec\.tags/,
  },
]

/** Stored before the rules that refuse it came, or after they went: the definition without its rules. */
const withoutRules = async (client: KubeClient): Promise<() => Promise<void>> => {
  const ref = { name: 'ec2nodeclasses.karpenter.k8s.aws' }
  const whole = await client.get(kinds.CustomResourceDefinition, ref)
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    const { 'x-kubernetes-validations': _rules, ...rest } = value as Record<string, unknown>
    const { amiFamily, ...others } = rest
    const family =
      typeof amiFamily === 'object' && amiFamily !== null && 'enum' in amiFamily
        ? { amiFamily: { type: 'string' } }
        : {}
    const kept = amiFamily === undefined || 'amiFamily' in family ? others : rest
    return { ...Object.fromEntries(Object.entries(kept).map(([key, inner]) => [key, strip(inner)])), ...family }
  }
  const put = (spec: unknown): Promise<unknown> =>
    client.patch(kinds.CustomResourceDefinition, ref, { type: 'merge', body: { spec } })
  const versions = (spec: unknown): unknown => ({ versions: (spec as { versions: unknown }).versions })
  await put(versions(strip(whole.spec)))
  return async () => {
    await put(versions(whole.spec))
  }
}

const prepareCloud = ({ ec2, ssm }: FakeAws): void => {
  ec2.images.push({ ImageId: 'ami-old', Architecture: 'i386', State: 'available' })
  ec2.subnets.push({
    SubnetId: 'subnet-full',
    AvailabilityZone: 'us-east-1a',
    AvailabilityZoneId: 'use1-az1',
    AvailableIpAddressCount: 0,
  })
  ssm.parameters.set('/aws/service/bottlerocket/aws-k8s-1.36/x86_64/latest/image_id', 'ami-x86')
}

const eventsOf = async (client: KubeClient, className: string): Promise<readonly (string | undefined)[]> =>
  (await client.list(kinds.Event)).items
    .filter(({ involvedObject: about }) => about?.kind === 'EC2NodeClass' && about.name === className)
    .map(({ message }) => message)

describe('one cluster with every mistake in a class of its own', () => {
  let story: FakeAwsStory
  beforeAll(async () => {
    story = await startFakeAwsStory(11, {
      prepare: async (client, aws) => {
        prepareCloud(aws)
        const restore = await withoutRules(client)
        for (const { name, spec } of cases) await createClass(client, name, { ...goodSpec, ...spec })
        await restore()
        await createClass(client, 'good', goodSpec)
        for (const name of [...cases.map((each) => each.name), 'good']) await createPool(client, name)
        return new Set()
      },
    })
    for (const { name } of cases) await createPod(story.client, name)
    await story.pass(60)
  }, 120_000)
  afterAll(() => story.close())

  test.each(cases)(
    '$wrong: its class tells cause and remedy, by a condition and an event',
    async ({ name, condition, status, reason, message }) => {
      const nodeClass = await story.client.get(karpenterKinds.EC2NodeClass, { name })
      const found = findCondition(nodeClass, condition)
      expect(found).toMatchObject({ status, reason })
      expect(found?.message).toMatch(message)
      expect(isConditionTrue(nodeClass, 'Ready')).toBe(status === 'True')
      expect(await eventsOf(story.client, name)).toContain(found?.message)
      expect(await isRunning(story.client, `for-${name}`)).toBe(false)
    },
  )

  test('a good class beside them works', async () => {
    await createPod(story.client, 'good')
    await story.until('the pod running', () => isRunning(story.client, 'for-good'), 90)
    expect(isConditionTrue(await story.client.get(karpenterKinds.EC2NodeClass, { name: 'good' }), 'Ready')).toBe(true)
  })

  test('each of them works once it is mended, without a restart', { timeout: 120_000 }, async () => {
    for (const { name, spec } of cases) {
      // What the schema would refuse is taken out, the rest set right.
      const gone = Object.fromEntries(Object.keys(spec).map((field) => [field, null]))
      const body = { spec: { ...gone, ...goodSpec } }
      await story.client.patch(karpenterKinds.EC2NodeClass, { name }, { type: 'merge', body })
    }
    for (const { name } of cases)
      await story.until(`the pod of ${name} running`, () => isRunning(story.client, `for-${name}`), 600)
  })
})

describe('what the schema refuses at once', () => {
  let story: FakeAwsStory | undefined
  afterEach(async () => {
    await story?.close()
    story = undefined
  })
  test('an unknown family and reserved tags, with the field and the rule', async () => {
    story = await startFakeAwsStory(12)
    const { client } = story
    const refusal = async (spec: Partial<EC2NodeClassSpec>): Promise<string> => {
      const error = await createClass(client, 'refused', { ...goodSpec, ...spec }).catch((thrown: unknown) => thrown)
      expect(isInvalid(error)).toBe(true)
      return String(error)
    }
    expect(await refusal({ amiFamily: 'Ubuntu' as never })).toMatch(/spec\.amiFamily.*Ubuntu.*AL2023/)
    expect(await refusal({ tags: { 'karpenter.sh/nodepool': 'mine' } })).toMatch(/spec\.tags.*karpenter\.sh\/nodepool/)
    expect(await refusal({ tags: { 'kubernetes.io/cluster/x': 'owned' } })).toMatch(
      /spec\.tags.*kubernetes\.io\/cluster/,
    )
  })
})

interface AccountCase {
  readonly wrong: string
  readonly calls: readonly ['ec2' | 'eks', string, Fault][]
  readonly options?: FakeAwsOptions
  readonly spec?: Partial<EC2NodeClassSpec>
  readonly condition: string
  readonly status: 'False' | 'Unknown'
  readonly reason: string
  readonly message: RegExp
}

const refused = (action: string, resource = ''): Fault => ({
  code: 'UnauthorizedOperation',
  status: 403,
  message: `You are not authorized to perform: ${action}${resource} because no identity-based policy allows it`,
})

/** What is wrong with the account, or with how the controller gets at it. */
const accountCases: readonly AccountCase[] = [
  {
    wrong: 'a permission is missing',
    calls: [
      ['ec2', 'tryFleet', refused('ec2:CreateFleet', ' on resource: arn:aws:ec2:us-east-1:123456789012:fleet/*')],
    ],
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'CreateFleetAuthCheckFailed',
    message:
      /does not allow ec2:CreateFleet on arn:aws:ec2:us-east-1:123456789012:fleet\/\*; add it, see "kerf aws policy"/,
  },
  {
    wrong: 'a permission to read is missing',
    calls: [['ec2', 'describeSecurityGroups', refused('ec2:DescribeSecurityGroups')]],
    condition: 'SecurityGroupsReady',
    status: 'Unknown',
    reason: 'Unauthorized',
    message: /does not allow ec2:DescribeSecurityGroups; add it/,
  },
  {
    wrong: 'the credentials have expired',
    calls: [['ec2', 'describeSubnets', { code: 'ExpiredToken', status: 401 }]],
    condition: 'SubnetsReady',
    status: 'Unknown',
    reason: 'CredentialsRefused',
    message: /does not accept the credentials of the controller \(ExpiredToken\); check its region and the role/,
  },
  {
    wrong: 'the region is one that the account does not use',
    calls: [['ec2', 'describeSubnets', { code: 'AuthFailure', status: 401 }]],
    condition: 'SubnetsReady',
    status: 'Unknown',
    reason: 'CredentialsRefused',
    message: /\(AuthFailure\); check its region/,
  },
  {
    wrong: 'the region does not exist',
    calls: [
      ['ec2', 'describeSubnets', { code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND ec2.us-east-9.amazonaws.com' }],
    ],
    condition: 'SubnetsReady',
    status: 'Unknown',
    reason: 'EndpointNotFound',
    message: /AWS cannot be found \(getaddrinfo ENOTFOUND ec2\.us-east-9\.amazonaws\.com\); check AWS_REGION/,
  },
  {
    wrong: 'the endpoint of the cluster is not found',
    calls: [
      ['eks', 'describeCluster', { code: 'ResourceNotFoundException', status: 404, message: 'No cluster found' }],
    ],
    spec: { amiFamily: 'AL2', amiSelectorTerms: [{ id: 'ami-x86' }] },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'ClusterEndpointNotFound',
    message: /the endpoint of cluster demo is not known: .*; set CLUSTER_ENDPOINT, or allow eks:DescribeCluster/,
  },
  {
    wrong: 'the cluster is not found, and its nodes need its service addresses',
    calls: [['eks', 'describeCluster', { code: 'ResourceNotFoundException', status: 404 }]],
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'ClusterCIDRResolutionFailed',
    message: /allow eks:DescribeCluster, and check CLUSTER_NAME and AWS_REGION/,
  },
]

test.each(accountCases)(
  '$wrong: a condition with cause and remedy, an event; what is there stays, and it mends itself',
  async ({ calls, spec, condition, status, reason, message }) => {
    const className = 'default'
    const story = await startFakeAwsStory(13, {
      prepare: async (client, aws) => {
        for (const [service, call, fault] of calls) aws[service].faults.standing(call, fault)
        // Of another class, from a better time.
        await createClass(client, className, { ...goodSpec, ...spec })
        await createPool(client, className)
        return new Set()
      },
    })
    const { client, aws } = story
    try {
      await createPod(client, className)
      await story.pass(30)
      const nodeClass = await client.get(karpenterKinds.EC2NodeClass, { name: className })
      const found = findCondition(nodeClass, condition)
      expect(found).toMatchObject({ status, reason })
      expect(found?.message).toMatch(message)
      expect(isConditionTrue(nodeClass, 'Ready')).toBe(false)
      expect(await eventsOf(client, className)).toContain(found?.message)
      expect(aws.ec2.launches).toEqual([])
      // The other parts of the class are resolved all the same.
      for (const other of ['AMIsReady', 'SubnetsReady', 'SecurityGroupsReady', 'InstanceProfileReady'])
        if (other !== condition) expect(isConditionTrue(nodeClass, other), other).toBe(true)
      // Messages about instances are still taken in.
      aws.sqs.send('nonsense')
      await story.until('the message gone', async () => aws.sqs.messages.size === 0, 60)

      for (const [service] of calls) aws[service].faults.recover()
      // A refusal is believed for half an hour; a new annotation asks at once.
      const body = { metadata: { annotations: { mended: 'yes' } } }
      await client.patch(karpenterKinds.EC2NodeClass, { name: className }, { type: 'merge', body })
      await story.until('the class ready', async () =>
        isConditionTrue(await client.get(karpenterKinds.EC2NodeClass, { name: className }), 'Ready'),
      )
      await story.until('an instance launched', async () => aws.ec2.launches.length === 1, 120)
    } finally {
      await story.close()
    }
  },
)
