import { ec2ServiceOf } from '../api/partition.ts'

/**
 * The permissions of the controller, by what they are for (`docs/spec/aws-installation.md#controller-permissions`). The
 * narrowest with which everything works.
 */

/** What Kerf does in an account. Without the permissions of one, only that does not work. */
export const capabilities = {
  launch: 'launch, tag and end instances',
  instanceProfiles: 'make instance profiles for the role of an EC2NodeClass',
  clusterFacts: 'find the endpoint, version and addresses of the cluster',
  interruption: 'drain nodes before EC2 takes them away (the interruption queue)',
  zonalShift: 'keep away from zones that traffic was shifted away from',
  discovery: 'find instance types, images, subnets, security groups and prices',
} as const
export type Capability = keyof typeof capabilities

/** Whose permissions. */
export interface PolicyScope {
  readonly clusterName: string
  readonly region: string
  readonly accountId: string
  /** As ARNs have it: `aws`, `aws-cn`, `aws-us-gov`, `aws-iso`… */
  readonly partition?: string
  /** EC2 as a service that takes on a role; by default that of the partition. */
  readonly ec2Service?: string
  /** Name of the role of the nodes. */
  readonly nodeRoleName?: string
  /** Name of the interruption queue; by default that of the cluster. */
  readonly queueName?: string
}

type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>

/** A statement of an IAM policy, and what it is for. */
export interface PolicyStatement {
  readonly capability: Capability
  readonly sid: string
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly conditions?: Conditions
}

/** Upstream's, for every partition. */
const KNOWN_EC2 = ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn']

const LAUNCHED = [
  'fleet',
  'instance',
  'volume',
  'network-interface',
  'launch-template',
  'spot-instances-request',
] as const
const BROUGHT_ALONG = ['security-group', 'subnet', 'capacity-reservation', 'placement-group'] as const
const POOL = 'karpenter.sh/nodepool'
const CLASS = 'karpenter.k8s.aws/ec2nodeclass'
const CLUSTER = 'eks:eks-cluster-name'
const REGION = 'topology.kubernetes.io/region'

const actionsOf = (service: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${service}:${name}`)

/** All statements of the controller's role. Every resource is tagged as it is made; without the tags IAM refuses it. */
export const policyStatements = (scope: PolicyScope): readonly PolicyStatement[] => {
  const { clusterName, region, accountId, partition = 'aws' } = scope
  const { nodeRoleName = `KarpenterNodeRole-${clusterName}`, queueName = clusterName } = scope
  const passedTo = [...new Set([...KNOWN_EC2, scope.ec2Service ?? ec2ServiceOf(partition)])]
  const owned = `kubernetes.io/cluster/${clusterName}`
  const ec2 = (kind: string): string => `arn:${partition}:ec2:${region}:*:${kind}/*`
  // Public images and snapshots have no account in their names.
  const publicly = (kind: string): string => `arn:${partition}:ec2:${region}::${kind}/*`
  const profiles = `arn:${partition}:iam::${accountId}:instance-profile/*`
  const clusterArn = `arn:${partition}:eks:${region}:${accountId}:cluster/${clusterName}`

  const isOwned: Conditions = {
    StringEquals: { [`aws:ResourceTag/${owned}`]: 'owned' },
    StringLike: { [`aws:ResourceTag/${POOL}`]: '*' },
  }
  const becomesOwned = {
    StringEquals: { [`aws:RequestTag/${owned}`]: 'owned', [`aws:RequestTag/${CLUSTER}`]: clusterName },
    StringLike: { [`aws:RequestTag/${POOL}`]: '*' },
  } satisfies Conditions
  const profileTags = (of: 'RequestTag' | 'ResourceTag') => ({
    [`aws:${of}/${owned}`]: 'owned',
    [`aws:${of}/${REGION}`]: region,
  })
  const requestedProfile = { ...profileTags('RequestTag'), [`aws:RequestTag/${CLUSTER}`]: clusterName }

  return [
    {
      capability: 'launch',
      sid: 'AllowScopedEC2InstanceAccessActions',
      actions: actionsOf('ec2', 'RunInstances CreateFleet'),
      resources: [publicly('image'), publicly('snapshot'), ...BROUGHT_ALONG.map(ec2)],
    },
    {
      capability: 'launch',
      sid: 'AllowScopedEC2LaunchTemplateAccessActions',
      actions: actionsOf('ec2', 'RunInstances CreateFleet'),
      resources: [ec2('launch-template')],
      conditions: isOwned,
    },
    {
      capability: 'launch',
      sid: 'AllowScopedEC2InstanceActionsWithTags',
      actions: actionsOf('ec2', 'RunInstances CreateFleet CreateLaunchTemplate'),
      resources: LAUNCHED.map(ec2),
      conditions: becomesOwned,
    },
    {
      capability: 'launch',
      sid: 'AllowScopedResourceCreationTagging',
      actions: actionsOf('ec2', 'CreateTags'),
      resources: LAUNCHED.map(ec2),
      conditions: {
        ...becomesOwned,
        StringEquals: {
          ...becomesOwned.StringEquals,
          'ec2:CreateAction': ['RunInstances', 'CreateFleet', 'CreateLaunchTemplate'],
        },
      },
    },
    {
      capability: 'launch',
      sid: 'AllowScopedResourceTagging',
      actions: actionsOf('ec2', 'CreateTags'),
      resources: [ec2('instance')],
      conditions: {
        ...isOwned,
        StringEqualsIfExists: { [`aws:RequestTag/${CLUSTER}`]: clusterName },
        'ForAllValues:StringEquals': { 'aws:TagKeys': [CLUSTER, 'karpenter.sh/nodeclaim', 'Name'] },
      },
    },
    {
      capability: 'launch',
      sid: 'AllowScopedDeletion',
      actions: actionsOf('ec2', 'TerminateInstances DeleteLaunchTemplate'),
      resources: [ec2('instance'), ec2('launch-template')],
      conditions: isOwned,
    },
    {
      capability: 'launch',
      sid: 'AllowPassingInstanceRole',
      actions: actionsOf('iam', 'PassRole'),
      resources: [`arn:${partition}:iam::${accountId}:role/${nodeRoleName}`],
      conditions: { StringEquals: { 'iam:PassedToService': passedTo } },
    },
    {
      capability: 'instanceProfiles',
      sid: 'AllowScopedInstanceProfileCreationActions',
      actions: actionsOf('iam', 'CreateInstanceProfile'),
      resources: [profiles],
      conditions: { StringEquals: requestedProfile, StringLike: { [`aws:RequestTag/${CLASS}`]: '*' } },
    },
    {
      capability: 'instanceProfiles',
      sid: 'AllowScopedInstanceProfileTagActions',
      actions: actionsOf('iam', 'TagInstanceProfile'),
      resources: [profiles],
      conditions: {
        StringEquals: { ...profileTags('ResourceTag'), ...requestedProfile },
        StringLike: { [`aws:ResourceTag/${CLASS}`]: '*', [`aws:RequestTag/${CLASS}`]: '*' },
      },
    },
    {
      capability: 'instanceProfiles',
      sid: 'AllowScopedInstanceProfileActions',
      actions: actionsOf('iam', 'AddRoleToInstanceProfile RemoveRoleFromInstanceProfile DeleteInstanceProfile'),
      resources: [profiles],
      conditions: { StringEquals: profileTags('ResourceTag'), StringLike: { [`aws:ResourceTag/${CLASS}`]: '*' } },
    },
    {
      capability: 'instanceProfiles',
      sid: 'AllowUnscopedInstanceProfileListAction',
      actions: actionsOf('iam', 'ListInstanceProfiles'),
      resources: ['*'],
    },
    {
      capability: 'instanceProfiles',
      sid: 'AllowInstanceProfileReadActions',
      actions: actionsOf('iam', 'GetInstanceProfile'),
      resources: [profiles],
    },
    {
      capability: 'clusterFacts',
      sid: 'AllowAPIServerEndpointDiscovery',
      actions: actionsOf('eks', 'DescribeCluster'),
      resources: [clusterArn],
    },
    {
      capability: 'interruption',
      sid: 'AllowInterruptionQueueActions',
      actions: actionsOf('sqs', 'DeleteMessage GetQueueUrl ReceiveMessage'),
      resources: [`arn:${partition}:sqs:${region}:${accountId}:${queueName}`],
    },
    {
      capability: 'zonalShift',
      sid: 'AllowZonalShiftStatusReadOnly',
      actions: actionsOf('arc-zonal-shift', 'GetManagedResource'),
      resources: ['*'],
      conditions: { StringEquals: { 'arc-zonal-shift:ResourceIdentifier': clusterArn } },
    },
    {
      capability: 'discovery',
      sid: 'AllowRegionalReadActions',
      actions: actionsOf(
        'ec2',
        'DescribeCapacityReservations DescribeImages DescribeInstances DescribeInstanceStatus DescribeInstanceTypeOfferings DescribeInstanceTypes DescribeLaunchTemplates DescribePlacementGroups DescribeSecurityGroups DescribeSpotPriceHistory DescribeSubnets',
      ),
      resources: ['*'],
      conditions: { StringEquals: { 'aws:RequestedRegion': region } },
    },
    {
      capability: 'discovery',
      sid: 'AllowSSMReadActions',
      actions: actionsOf('ssm', 'GetParameter'),
      resources: [`arn:${partition}:ssm:${region}::parameter/aws/service/*`],
    },
    {
      capability: 'discovery',
      sid: 'AllowPricingReadActions',
      actions: actionsOf('pricing', 'GetProducts'),
      resources: ['*'],
    },
  ]
}

/** An IAM policy document. */
export interface PolicyDocument {
  readonly Version: '2012-10-17'
  readonly Statement: readonly {
    readonly Sid: string
    readonly Effect: 'Allow'
    readonly Action: readonly string[]
    readonly Resource: readonly string[]
    readonly Condition?: Conditions
  }[]
}

/** Upstream's managed policies; each stays within what IAM takes as one. */
const policyOfStatement = ({ capability, sid }: PolicyStatement): string => {
  switch (capability) {
    case 'launch':
      return sid === 'AllowPassingInstanceRole' ? 'IAMIntegration' : 'NodeLifecycle'
    case 'instanceProfiles':
      return /List|Read/.test(sid) ? 'ResourceDiscovery' : 'IAMIntegration'
    case 'clusterFacts':
      return 'EKSIntegration'
    case 'interruption':
      return 'Interruption'
    case 'zonalShift':
      return 'ZonalShift'
    case 'discovery':
      return 'ResourceDiscovery'
  }
}

/** The policies of the controller by name, as upstream cuts and calls them. */
export const policyDocuments = (scope: PolicyScope): ReadonlyMap<string, PolicyDocument> => {
  const byName = Map.groupBy(
    policyStatements(scope),
    (statement) => `KarpenterController${policyOfStatement(statement)}Policy-${scope.clusterName}`,
  )
  return new Map(
    [...byName].map(([name, statements]) => [
      name,
      {
        Version: '2012-10-17',
        Statement: statements.map(({ sid, actions, resources, conditions }) => ({
          Sid: sid,
          Effect: 'Allow',
          Action: actions,
          Resource: resources,
          ...(conditions === undefined ? {} : { Condition: conditions }),
        })),
      } as const,
    ]),
  )
}
