import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Output, VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { textWidth } from '@kerf/provider-kit/terminal'
import { terraformJson } from '@kerf/provider-kit/terraform'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type CloudFormationOptions, runCloudFormation } from './run-cloudformation.ts'
import { type ClusterOptions, runEksctl, runTerraform } from './run-cluster.ts'
import { type PolicyOptions, runPolicy } from './run-policy.ts'

const target = { clusterName: 'demo', region: 'eu-west-1', account: '012345678901' }

const printedText = async (
  run: (streams: Pick<VerbStreams, 'stdout' | 'env'>) => unknown,
  env: Pick<VerbStreams, 'stdout' | 'env'>['env'] = {},
): Promise<string> => {
  let text = ''
  await run({ stdout: { write: (part) => (text += part) }, env })
  return text
}
const policyText = (options: Partial<PolicyOptions>, env: Pick<VerbStreams, 'stdout' | 'env'>['env'] = {}) =>
  printedText((streams) => runPolicy({ capability: [], ...options }, streams), env)
// The shape is what these tests are about: whatever is missing reads as undefined and fails.
// biome-ignore lint/suspicious/noExplicitAny: parsed documents
type Parsed = any
const stack = async (options: Partial<CloudFormationOptions> = {}): Promise<Parsed> =>
  parse(
    await printedText((streams) =>
      runCloudFormation(
        { clusterName: 'demo', identity: 'pod-identity', namespace: 'kube-system', output: 'yaml', ...options },
        streams,
      ),
    ),
  )
const clusterOptions: ClusterOptions = { ...target, namespace: 'kube-system' }
const eksctl = async (options: Partial<ClusterOptions> = {}): Promise<Parsed> =>
  parse(await printedText((streams) => runEksctl({ ...clusterOptions, ...options }, streams)))
const terraform = async (options: Partial<ClusterOptions> = {}): Promise<Parsed> =>
  JSON.parse(await printedText((streams) => runTerraform({ ...clusterOptions, ...options }, streams)))

/** The six policies with their statements and actions (`providers/aws/docs/spec/aws-installation.md#controller-permissions`). */
const SPEC: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  NodeLifecycle: {
    AllowScopedEC2InstanceAccessActions: 'ec2: RunInstances CreateFleet',
    AllowScopedEC2LaunchTemplateAccessActions: 'ec2: RunInstances CreateFleet',
    AllowScopedEC2InstanceActionsWithTags: 'ec2: RunInstances CreateFleet CreateLaunchTemplate',
    AllowScopedResourceCreationTagging: 'ec2: CreateTags',
    AllowScopedResourceTagging: 'ec2: CreateTags',
    AllowScopedDeletion: 'ec2: TerminateInstances DeleteLaunchTemplate',
  },
  IAMIntegration: {
    AllowPassingInstanceRole: 'iam: PassRole',
    AllowScopedInstanceProfileCreationActions: 'iam: CreateInstanceProfile',
    AllowScopedInstanceProfileTagActions: 'iam: TagInstanceProfile',
    AllowScopedInstanceProfileActions:
      'iam: AddRoleToInstanceProfile RemoveRoleFromInstanceProfile DeleteInstanceProfile',
  },
  EKSIntegration: { AllowAPIServerEndpointDiscovery: 'eks: DescribeCluster' },
  Interruption: { AllowInterruptionQueueActions: 'sqs: DeleteMessage GetQueueUrl ReceiveMessage' },
  ZonalShift: { AllowZonalShiftStatusReadOnly: 'arc-zonal-shift: GetManagedResource' },
  ResourceDiscovery: {
    AllowRegionalReadActions:
      'ec2: DescribeCapacityReservations DescribeImages DescribeInstances DescribeInstanceStatus DescribeInstanceTypeOfferings DescribeInstanceTypes DescribeLaunchTemplates DescribePlacementGroups DescribeSecurityGroups DescribeSpotPriceHistory DescribeSubnets',
    AllowSSMReadActions: 'ssm: GetParameter',
    AllowPricingReadActions: 'pricing: GetProducts',
    AllowUnscopedInstanceProfileListAction: 'iam: ListInstanceProfiles',
    AllowInstanceProfileReadActions: 'iam: GetInstanceProfile',
  },
}
const specTable = Object.fromEntries(
  Object.entries(SPEC).map(([policy, statements]) => [
    `KarpenterController${policy}Policy-demo`,
    Object.fromEntries(
      Object.entries(statements).map(([sid, text]) => {
        const [service, ...names] = text.split(/:? /)
        return [sid, names.map((name) => `${service}:${name}`).sort()]
      }),
    ),
  ]),
)
const statementTable = (documents: readonly (readonly [string, Parsed])[]) =>
  Object.fromEntries(
    documents.map(([name, document]) => [
      name,
      Object.fromEntries(document.Statement.map(({ Sid, Action }: Parsed) => [Sid, [...Action].sort()])),
    ]),
  )

/**
 * The EventBridge rules (`providers/aws/docs/spec/aws-installation.md#cloudformation-stack`) and their events
 * (`providers/aws/docs/spec/aws-controllers.md#interruption`).
 */
const RULES = {
  ScheduledChangeRule: ['aws.health', 'AWS Health Event'],
  SpotInterruptionRule: ['aws.ec2', 'EC2 Spot Instance Interruption Warning'],
  RebalanceRule: ['aws.ec2', 'EC2 Instance Rebalance Recommendation'],
  InstanceStateChangeRule: ['aws.ec2', 'EC2 Instance State-change Notification'],
  CapacityReservationInterruptionRule: ['aws.ec2', 'EC2 Capacity Reservation Instance Interruption Warning'],
}
const NODE_POLICIES = [
  'AmazonEC2ContainerRegistryPullOnly',
  'AmazonEKSWorkerNodePolicy',
  'AmazonEKS_CNI_Policy',
  'AmazonSSMManagedInstanceCore',
]

test('policy: the six policies of the spec', async () => {
  expect(statementTable(Object.entries(JSON.parse(await policyText(target))))).toEqual(specTable)
})

test('policy: one capability as one document; the region from the environment', async () => {
  const { region: _, ...rest } = target
  const document = JSON.parse(
    await policyText({ ...rest, capability: ['interruption', 'clusterFacts'] }, { AWS_REGION: 'us-gov-west-1' }),
  )
  expect(document.Statement.map(({ Sid, Resource }: Parsed) => [Sid, Resource])).toEqual([
    ['AllowAPIServerEndpointDiscovery', ['arn:aws-us-gov:eks:us-gov-west-1:012345678901:cluster/demo']],
    ['AllowInterruptionQueueActions', ['arn:aws-us-gov:sqs:us-gov-west-1:012345678901:demo']],
  ])
})

test.each([
  ['us-iso-east-1', 'aws-iso', 'c2s.ic.gov'],
  ['us-isob-east-1', 'aws-iso-b', 'sc2s.sgov.gov'],
  ['eu-isoe-west-1', 'aws-iso-e', 'cloud.adc-e.uk'],
  ['us-isof-south-1', 'aws-iso-f', 'csp.hci.ic.gov'],
  ['eusc-de-east-1', 'aws-eusc', 'amazonaws.eu'],
  ['cn-north-1', 'aws-cn', 'amazonaws.com.cn'],
])('%s is in partition %s: its ARNs, and its name for EC2', async (region, partition, suffix) => {
  const policies = await policyText({ ...target, region })
  expect([...policies.matchAll(/"arn:([\w-]+):/g)].every(([, name]) => name === partition)).toBe(true)
  expect(policies).toContain(`"ec2.${suffix}"`)
  const terraform = await printedText((streams) => runTerraform({ ...clusterOptions, region }, streams))
  expect(terraform).toContain(`"ec2.${suffix}"`)
})

test('policy --check: every action that the five policies of the guide lack, with its purpose', async () => {
  const file = fileURLToPath(new URL('../../../../examples/older-guides/iam-policy.json', import.meta.url))
  const [{ Action: given }] = JSON.parse(readFileSync(file, 'utf8')).Statement
  expect(given).toHaveLength(5)
  const lacking = new Set(
    Object.values(specTable)
      .flatMap((statements) => Object.values(statements).flat())
      .filter((action) => !given.includes(action)),
  )
  let code: number | undefined
  const table = await printedText(async (streams) => {
    code = await runPolicy({ check: file, capability: [] }, streams)
  })
  expect(code).toBe(3)
  const rows = [...table.matchAll(/^([a-z0-9-]+:\w+) +(\w+) +(\S.*)$/gm)]
  expect(new Set(rows.map(([, action]) => action))).toEqual(lacking)
  expect(table).toMatch(/^sqs:ReceiveMessage +interruption +drain nodes before EC2 interrupts them/m)
  expect(table).toContain('Never used: ec2:DescribeTags')
  const data = JSON.parse(await policyText({ check: file, output: 'json' }))
  expect(data.missing).toHaveLength(lacking.size)
})

/** Evaluates the CloudFormation functions of the template. */
const resolved = (text: string): string =>
  text
    .replaceAll('$' + '{ClusterName}', 'demo')
    .replaceAll('$' + '{AWS::Region}', 'eu-west-1')
    .replaceAll('$' + '{AWS::AccountId}', '012345678901')
    .replaceAll('$' + '{AWS::Partition}', 'aws')
    .replaceAll('$' + '{AWS::URLSuffix}', 'amazonaws.com')

test('cloudformation: the resources of the spec', async () => {
  const { Resources: resources, Parameters: parameters } = await stack()
  expect(Object.keys(parameters)).toEqual(['ClusterName'])
  const kinds = Object.entries<Parsed>(resources).map(([name, { Type }]) => [name, Type])
  expect(Object.fromEntries(kinds)).toEqual({
    KarpenterNodeRole: 'AWS::IAM::Role',
    KarpenterControllerRole: 'AWS::IAM::Role',
    ...Object.fromEntries(
      Object.keys(SPEC).map((name) => [`KarpenterController${name}Policy`, 'AWS::IAM::ManagedPolicy']),
    ),
    KarpenterInterruptionQueue: 'AWS::SQS::Queue',
    KarpenterInterruptionQueuePolicy: 'AWS::SQS::QueuePolicy',
    ...Object.fromEntries(Object.keys(RULES).map((name) => [name, 'AWS::Events::Rule'])),
  })
  const { Properties: role } = resources.KarpenterNodeRole
  expect(role.ManagedPolicyArns.map((arn: Parsed) => arn['Fn::Sub'].split('/').at(-1)).sort()).toEqual(NODE_POLICIES)
  expect(resolved(role.RoleName['Fn::Sub'])).toBe('KarpenterNodeRole-demo')
  expect(resources.KarpenterInterruptionQueue.Properties).toMatchObject({
    MessageRetentionPeriod: 300,
    SqsManagedSseEnabled: true,
  })
  for (const [name, [source, detailType]] of Object.entries(RULES))
    expect(resources[name].Properties).toMatchObject({
      EventPattern: { source: [source], 'detail-type': [detailType] },
      Targets: [{ Arn: { 'Fn::GetAtt': ['KarpenterInterruptionQueue', 'Arn'] } }],
    })
  const queue = resources.KarpenterInterruptionQueuePolicy.Properties.PolicyDocument
  expect(queue.Statement.map(({ Effect, Action }: Parsed) => [Effect, Action])).toEqual([
    ['Allow', 'sqs:SendMessage'],
    ['Deny', 'sqs:*'],
  ])
})

test('cloudformation: its policies, with values filled in, are those of kerf aws policy', async () => {
  const { Resources: resources } = await stack()
  const filled = Object.values<Parsed>(resources)
    .filter(({ Type }) => Type === 'AWS::IAM::ManagedPolicy')
    .map(({ Properties: { ManagedPolicyName: name, PolicyDocument: document } }) => [
      resolved(name['Fn::Sub']),
      // Some values are equal in this partition, so lists contain duplicates, which are removed here.
      JSON.parse(resolved(document['Fn::Sub']), (_key, value) => (Array.isArray(value) ? [...new Set(value)] : value)),
    ])
  expect(Object.fromEntries(filled)).toEqual(JSON.parse(await policyText(target)))
})

test('cloudformation: the controller’s identity, and the resources for an existing cluster', async () => {
  const { Resources: alone } = await stack({ identity: 'none' })
  expect(alone.KarpenterControllerRole).toBeUndefined()
  const { Resources: irsa } = await stack({
    identity: 'irsa',
    oidcIssuer: 'https://oidc.eks.eu-west-1.amazonaws.com/id/ABC',
    namespace: 'karpenter',
  })
  const trust = irsa.KarpenterControllerRole.Properties.AssumeRolePolicyDocument
  expect(trust.Statement[0].Condition.StringEquals).toEqual({
    'oidc.eks.eu-west-1.amazonaws.com/id/ABC:aud': 'sts.amazonaws.com',
    'oidc.eks.eu-west-1.amazonaws.com/id/ABC:sub': 'system:serviceaccount:karpenter:karpenter',
  })
  const { Resources: into } = await stack({ intoCluster: true })
  expect(into.KarpenterNodeAccessEntry.Properties.Type).toBe('EC2_LINUX')
  expect(into.KarpenterPodIdentity.Properties).toMatchObject({ Namespace: 'kube-system', ServiceAccount: 'karpenter' })
})

test('eksctl: a managed node group of two m5.large for the system, on the roles of the stack', async () => {
  const config = await eksctl()
  expect(config).toMatchObject({ apiVersion: 'eksctl.io/v1alpha5', kind: 'ClusterConfig' })
  expect(config.metadata).toEqual({ name: 'demo', region: 'eu-west-1', tags: { 'karpenter.sh/discovery': 'demo' } })
  expect(config.managedNodeGroups).toEqual([
    {
      name: 'system',
      instanceType: 'm5.large',
      amiFamily: 'AmazonLinux2023',
      minSize: 2,
      desiredCapacity: 2,
      maxSize: 2,
      labels: { 'karpenter.sh/controller': 'true' },
      taints: [{ key: 'CriticalAddonsOnly', value: 'true', effect: 'NoSchedule' }],
    },
  ])
  expect(config.accessConfig.accessEntries).toEqual([
    { principalARN: 'arn:aws:iam::012345678901:role/KarpenterNodeRole-demo', type: 'EC2_LINUX' },
  ])
  const { Resources: resources } = await stack()
  const role = resolved(resources.KarpenterControllerRole.Properties.RoleName['Fn::Sub'])
  expect(config.iam.podIdentityAssociations[0].roleARN).toBe(`arn:aws:iam::012345678901:role/${role}`)
  expect(config.addons).toContainEqual({ name: 'eks-pod-identity-agent' })
})

test('eksctl --fargate: no nodes, IRSA with the six policies, DNS on Fargate too', async () => {
  const config = await eksctl({ fargate: true, namespace: 'karpenter', kubernetesVersion: '1.34' })
  expect(config.managedNodeGroups).toBeUndefined()
  expect(config.metadata.version).toBe('1.34')
  expect(config.fargateProfiles[0].selectors.map(({ namespace }: Parsed) => namespace)).toEqual([
    'karpenter',
    'kube-system',
  ])
  const [account] = config.iam.serviceAccounts
  expect(account.metadata).toEqual({ namespace: 'karpenter', name: 'karpenter' })
  expect(account.attachPolicyARNs).toEqual(
    Object.keys(JSON.parse(await policyText(target))).map((name) => `arn:aws:iam::012345678901:policy/${name}`),
  )
})

/** Returns the local value that an argument encodes as JSON. */
const namedDocument = ({ locals }: Parsed, argument: string): Parsed => {
  const [, name] = /^\$\{jsonencode\(local\.(\w+)\)\}$/.exec(argument) ?? []
  expect(locals).toHaveProperty(String(name))
  return locals[String(name)]
}

test('terraform: the same policies, roles, queue and rules, and the managed node group', async () => {
  const module = await terraform()
  const { resource } = module
  const policies = Object.values<Parsed>(resource.aws_iam_policy).map(({ name, policy }) => [
    name,
    namedDocument(module, policy),
  ])
  expect(Object.fromEntries(policies)).toEqual(JSON.parse(await policyText(target)))
  const rules = Object.values<Parsed>(resource.aws_cloudwatch_event_rule)
    .map(({ event_pattern: pattern }) => namedDocument(module, pattern))
    .map((pattern) => [pattern.source[0], pattern['detail-type'][0]])
  expect(rules.sort()).toEqual(Object.values(RULES).sort())
  expect(resource.aws_eks_node_group.system).toMatchObject({
    instance_types: ['m5.large'],
    ami_type: 'AL2023_x86_64_STANDARD',
    scaling_config: { min_size: 2, desired_size: 2, max_size: 2 },
    taint: { key: 'CriticalAddonsOnly', value: 'true', effect: 'NO_SCHEDULE' },
  })
  const attached: string = resource.aws_iam_role_policy_attachment.node.for_each
  expect(attached).toMatch(/^\$\{toset\(\[.*\]\)\}$/)
  expect([...attached.matchAll(/"(\w+)"/g)].map(([, name]) => name).sort()).toEqual(NODE_POLICIES)
  expect(resource.aws_eks_access_entry.node.type).toBe('EC2_LINUX')
  expect(resource.aws_sqs_queue.interruption.message_retention_seconds).toBe(300)
})

/** Returns all strings of a value, including field names, because they are templates too. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value) ? value.flatMap(textsIn) : Object.entries(value).flat().flatMap(textsIn)
}

test.each([false, true])('terraform (fargate: %s): every reference has a target', async (fargate) => {
  const { resource, locals, ...rest } = await terraform({ fargate })
  const made = Object.entries<Parsed>(resource).flatMap(([type, named]) =>
    Object.keys(named).map((name) => `${type}.${name}`),
  )
  const expressions = textsIn([resource, locals, rest.output]).flatMap((text) =>
    [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, inner]) => String(inner)),
  )
  const dependencies = Object.values<Parsed>(resource).flatMap((named) =>
    Object.values<Parsed>(named).flatMap(({ depends_on: names = [] }) => names),
  )
  const named = [...expressions, ...dependencies].flatMap((text) =>
    [...text.matchAll(/\baws_[a-z0-9_]+\.[a-z0-9_]+/g)].map(([name]) => name),
  )
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !made.includes(name))).toEqual([])
  const asked = expressions.flatMap((text) => [...text.matchAll(/\blocal\.(\w+)/g)].map(([, name]) => String(name)))
  expect(new Set(asked)).toEqual(new Set(Object.keys(locals)))
  expect(made.includes('aws_eks_node_group.system')).toBe(!fargate)
  expect(made.includes('aws_eks_fargate_profile.karpenter')).toBe(fargate)
  expect(made.includes('aws_iam_openid_connect_provider.cluster')).toBe(fargate)
})

test('terraform: no string of a policy is parsed as a template of Terraform', async () => {
  for (const text of textsIn(JSON.parse(await policyText(target)))) expect(text).not.toMatch(/[$%]\{/)
})

test('terraform: two resources with the same address are refused', () => {
  const resource = { type: 'aws_iam_role', name: 'node', arguments: {} }
  const file = { terraform: {}, provider: {}, variable: {}, locals: {}, output: {} }
  expect(() => terraformJson({ ...file, resource: [resource, resource] })).toThrow(
    'two resources have the address aws_iam_role.node',
  )
})

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['no cluster', () => policyText({}), /set --cluster-name/],
  ['no account', () => policyText({ clusterName: 'demo', region: 'eu-west-1' }), /--account/],
  ['a wrong account', () => policyText({ ...target, account: '12' }), /twelve digits/],
  ['no region', () => policyText({ clusterName: 'demo', account: '012345678901' }), /--region/],
  ['a wrong region', () => policyText({ ...target, region: 'Ireland' }), /such as eu-west-1/],
  ['an unknown capability', () => policyText({ ...target, capability: ['lunch'] }), /not one of: launch, /],
  ['a missing file', () => policyText({ check: 'no-such-file' }), /^no-such-file: no such file/],
  ['a file that is not a policy', () => policyText({ check: fileURLToPath(import.meta.url) }), /not an IAM policy/],
  ['a name that EKS refuses', () => stack({ clusterName: 'a b' }), /not a valid EKS cluster name/],
  ['a role name beyond IAM', () => stack({ clusterName: 'c'.repeat(50) }), /shorter --node-role-name/],
  ['IRSA without its issuer', () => stack({ identity: 'irsa' }), /--oidc-issuer/],
  ['an invalid version', () => eksctl({ kubernetesVersion: 'latest' }), /such as 1\.34/],
])('wrong usage: %s', async (_, run, message) => {
  const error = await run().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UsageError)
  expect(String(error)).toMatch(new RegExp(message.source.replace(/^\^/, ''), message.flags))
})

test('the table of policies fits the width of a terminal, and is not cut in a pipe', async () => {
  const linesOn = async (terminal: Omit<Output, 'write'>) => {
    let text = ''
    const stdout: Output = { ...terminal, write: (part) => (text += part) }
    await runPolicy({ ...target, output: 'table', capability: [] }, { stdout, env: {} })
    return text.split('\n')
  }
  expect(Math.max(...(await linesOn({})).map(textWidth))).toBeGreaterThan(100)
  const narrow = await linesOn({ isTTY: true, columns: 100 })
  // The lines of the table, without the text after it.
  const rows = narrow.slice(0, narrow.indexOf(''))
  expect(Math.max(...rows.map(textWidth))).toBeLessThanOrEqual(100)
  expect(rows.some((line) => line.includes('…'))).toBe(true)
})
