import { type Conditions, type PolicyStatement, type StatementScope, serviceActions } from './statement.ts'

/** The service principals of EC2 to which upstream passes the role, in any partition. */
const KNOWN_EC2 = ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn']

/** The resource types that a launch creates. */
const CREATED = [
  'fleet',
  'instance',
  'volume',
  'network-interface',
  'launch-template',
  'spot-instances-request',
] as const
/** The types of existing resources that a launch uses but does not create. */
const USED = ['security-group', 'subnet', 'capacity-reservation', 'placement-group'] as const
const POOL = 'karpenter.sh/nodepool'
const CLUSTER = 'eks:eks-cluster-name'

const ownedTag = (clusterName: string): string => `kubernetes.io/cluster/${clusterName}`

/** Returns the condition that the resource has the tags of this cluster. */
const isOwned = (clusterName: string): Conditions => ({
  StringEquals: { [`aws:ResourceTag/${ownedTag(clusterName)}`]: 'owned' },
  StringLike: { [`aws:ResourceTag/${POOL}`]: '*' },
})

/** Returns the condition that the request adds the tags of this cluster to the resource. */
const becomesOwned = (clusterName: string) =>
  ({
    StringEquals: {
      [`aws:RequestTag/${ownedTag(clusterName)}`]: 'owned',
      [`aws:RequestTag/${CLUSTER}`]: clusterName,
    },
    StringLike: { [`aws:RequestTag/${POOL}`]: '*' },
  }) satisfies Conditions

/** Returns the statements for launching. Created resources get the tags of the cluster in the same request. */
const creationStatements = ({ scope, ec2, publicEc2 }: StatementScope): readonly PolicyStatement[] => {
  const created = becomesOwned(scope.clusterName)
  return [
    {
      capability: 'launch',
      name: 'AllowScopedEC2InstanceAccessActions',
      actions: serviceActions('ec2', 'RunInstances CreateFleet'),
      resources: [publicEc2('image'), publicEc2('snapshot'), ...USED.map(ec2)],
    },
    {
      capability: 'launch',
      name: 'AllowScopedEC2LaunchTemplateAccessActions',
      actions: serviceActions('ec2', 'RunInstances CreateFleet'),
      resources: [ec2('launch-template')],
      conditions: isOwned(scope.clusterName),
    },
    {
      capability: 'launch',
      name: 'AllowScopedEC2InstanceActionsWithTags',
      actions: serviceActions('ec2', 'RunInstances CreateFleet CreateLaunchTemplate'),
      resources: CREATED.map(ec2),
      conditions: created,
    },
    {
      capability: 'launch',
      name: 'AllowScopedResourceCreationTagging',
      actions: serviceActions('ec2', 'CreateTags'),
      resources: CREATED.map(ec2),
      conditions: {
        ...created,
        StringEquals: {
          ...created.StringEquals,
          'ec2:CreateAction': ['RunInstances', 'CreateFleet', 'CreateLaunchTemplate'],
        },
      },
    },
  ]
}

/** Returns the statements for tagging and deleting launched resources, and for passing the role of the nodes. */
const ownedStatements = ({ scope, ec2 }: StatementScope): readonly PolicyStatement[] => {
  const { clusterName, partition, accountId, nodeRoleName, otherNodeRoleNames, ec2Service } = scope
  const owned = isOwned(clusterName)
  return [
    {
      capability: 'launch',
      name: 'AllowScopedResourceTagging',
      actions: serviceActions('ec2', 'CreateTags'),
      resources: [ec2('instance')],
      conditions: {
        ...owned,
        StringEqualsIfExists: { [`aws:RequestTag/${CLUSTER}`]: clusterName },
        'ForAllValues:StringEquals': { 'aws:TagKeys': [CLUSTER, 'karpenter.sh/nodeclaim', 'Name'] },
      },
    },
    {
      capability: 'launch',
      name: 'AllowScopedDeletion',
      actions: serviceActions('ec2', 'TerminateInstances DeleteLaunchTemplate'),
      resources: [ec2('instance'), ec2('launch-template')],
      conditions: owned,
    },
    {
      capability: 'launch',
      name: 'AllowPassingInstanceRole',
      actions: serviceActions('iam', 'PassRole'),
      resources: [nodeRoleName, ...otherNodeRoleNames].map((role) => `arn:${partition}:iam::${accountId}:role/${role}`),
      conditions: { StringEquals: { 'iam:PassedToService': [...new Set([...KNOWN_EC2, ec2Service])] } },
    },
  ]
}

/** Returns the statements for launching, tagging and terminating instances. */
export const launchStatements = (scope: StatementScope): readonly PolicyStatement[] => [
  ...creationStatements(scope),
  ...ownedStatements(scope),
]
