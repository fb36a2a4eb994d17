import { policyDocuments } from '../policy/documents.ts'
import {
  eventPattern,
  eventRules,
  irsaTrust,
  NODE_POLICIES,
  POD_IDENTITY_TRUST,
  QUEUE_RETENTION_SECONDS,
  queuePolicy,
  trustService,
} from './account-resources.ts'
import type { InstallNames } from './install-target.ts'

/** How the controller's pods get their role. */
export type ControllerIdentity =
  | { readonly kind: 'pod-identity' }
  | { readonly kind: 'irsa'; readonly issuer: string }
  /** Another tool creates the role, for example eksctl for Fargate. */
  | { readonly kind: 'none' }

export interface StackChoices {
  readonly identity: ControllerIdentity
  readonly namespace: string
  /** Whether to add the resources that need an existing cluster: the nodes' access entry and the controller's association. */
  readonly intoCluster: boolean
  /** Names of existing node roles. The stack then creates no node role and does not change access entries. */
  readonly existingNodeRoles?: readonly string[]
}

// CloudFormation placeholders, so that one template works for every account, region and cluster.
const CLUSTER = '$' + '{ClusterName}'
const PARTITION = '$' + '{AWS::Partition}'
const REGION = '$' + '{AWS::Region}'
const ACCOUNT = '$' + '{AWS::AccountId}'
const SUFFIX = '$' + '{AWS::URLSuffix}'

const sub = (text: string) => ({ 'Fn::Sub': text })
const resourceArn = (resource: string) => ({ 'Fn::GetAtt': [resource, 'Arn'] })
/** Returns the document as a string, because CloudFormation allows no functions in the keys of conditions. */
const document = (value: object) => sub(JSON.stringify(value, null, 2))

const policyResources = (names: InstallNames, existing: readonly string[]) =>
  [
    ...policyDocuments({
      clusterName: CLUSTER,
      region: REGION,
      accountId: ACCOUNT,
      partition: PARTITION,
      ec2Service: `ec2.${SUFFIX}`,
      nodeRoleName: existing[0] ?? roleText(names.nodeRole, names),
      otherNodeRoleNames: existing.slice(1),
      queueName: queueText(names),
    }),
  ].map(([name, policy]) => {
    const id = name.slice(0, name.lastIndexOf('-'))
    return [
      id,
      {
        Type: 'AWS::IAM::ManagedPolicy',
        Properties: { ManagedPolicyName: sub(name), PolicyDocument: document(policy) },
      },
    ] as const
  })

/**
 * If the name starts or ends with the cluster's name, replaces that part with the parameter `ClusterName`. Returns other names unchanged.
 */
const followParameter = (name: string, clusterName: string): string => {
  if (name.endsWith(`-${clusterName}`)) return `${name.slice(0, -clusterName.length)}${CLUSTER}`
  return name.startsWith(`${clusterName}-`) ? `${CLUSTER}${name.slice(clusterName.length)}` : name
}
const roleText = (role: string, { clusterName }: InstallNames): string => followParameter(role, clusterName)
const queueText = ({ queue, clusterName }: InstallNames): string => (queue === clusterName ? CLUSTER : queue)

const controllerTrust = (identity: ControllerIdentity, namespace: string) => {
  switch (identity.kind) {
    case 'pod-identity':
      return POD_IDENTITY_TRUST
    case 'irsa':
      return irsaTrust(
        sub(`arn:${PARTITION}:iam::${ACCOUNT}:oidc-provider/${identity.issuer}`),
        identity.issuer,
        namespace,
      )
    case 'none':
      return undefined
  }
}

const clusterResources = ({ identity, namespace, existingNodeRoles = [] }: StackChoices) => ({
  ...(existingNodeRoles.length > 0
    ? {}
    : {
        KarpenterNodeAccessEntry: {
          Type: 'AWS::EKS::AccessEntry',
          Properties: {
            ClusterName: { Ref: 'ClusterName' },
            PrincipalArn: resourceArn('KarpenterNodeRole'),
            Type: 'EC2_LINUX',
          },
        },
      }),
  ...(identity.kind === 'pod-identity'
    ? {
        KarpenterPodIdentity: {
          Type: 'AWS::EKS::PodIdentityAssociation',
          Properties: {
            ClusterName: { Ref: 'ClusterName' },
            Namespace: namespace,
            ServiceAccount: 'karpenter',
            RoleArn: resourceArn('KarpenterControllerRole'),
          },
        },
      }
    : {}),
})

const queueResources = (names: InstallNames) => ({
  KarpenterInterruptionQueue: {
    Type: 'AWS::SQS::Queue',
    Properties: {
      QueueName: sub(queueText(names)),
      MessageRetentionPeriod: QUEUE_RETENTION_SECONDS,
      SqsManagedSseEnabled: true,
    },
  },
  KarpenterInterruptionQueuePolicy: {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: 'KarpenterInterruptionQueue' }],
      PolicyDocument: queuePolicy(resourceArn('KarpenterInterruptionQueue')),
    },
  },
  ...Object.fromEntries(
    eventRules.map((rule) => [
      rule.name,
      {
        Type: 'AWS::Events::Rule',
        Properties: {
          EventPattern: eventPattern(rule),
          Targets: [{ Id: 'KarpenterInterruptionQueueTarget', Arn: resourceArn('KarpenterInterruptionQueue') }],
        },
      },
    ]),
  ),
})

/**
 * Returns the stack that an installation needs in the account (`providers/aws/docs/spec/aws-installation.md#cloudformation-stack`): the node role,
 * the six policies, the controller's role, the interruption queue and its rules. It needs CAPABILITY_NAMED_IAM.
 */
export const cloudFormationTemplate = (names: InstallNames, choices: StackChoices) => {
  const { existingNodeRoles = [] } = choices
  const policies = policyResources(names, existingNodeRoles)
  const trust = controllerTrust(choices.identity, choices.namespace)
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: 'Roles, interruption queue and event rules of Kerf on EKS',
    Parameters: {
      ClusterName: {
        Type: 'String',
        Description: 'Name of the EKS cluster',
        Default: names.clusterName,
        AllowedPattern: '^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$',
      },
    },
    Resources: {
      ...(existingNodeRoles.length > 0
        ? {}
        : {
            KarpenterNodeRole: {
              Type: 'AWS::IAM::Role',
              Properties: {
                RoleName: sub(roleText(names.nodeRole, names)),
                Path: '/',
                AssumeRolePolicyDocument: trustService(sub(`ec2.${SUFFIX}`)),
                ManagedPolicyArns: NODE_POLICIES.map((policy) => sub(`arn:${PARTITION}:iam::aws:policy/${policy}`)),
              },
            },
          }),
      ...Object.fromEntries(policies),
      ...(trust === undefined
        ? {}
        : {
            KarpenterControllerRole: {
              Type: 'AWS::IAM::Role',
              Properties: {
                RoleName: sub(roleText(names.controllerRole, names)),
                AssumeRolePolicyDocument: trust,
                ManagedPolicyArns: policies.map(([id]) => ({ Ref: id })),
              },
            },
          }),
      ...queueResources(names),
      ...(choices.intoCluster ? clusterResources(choices) : {}),
    },
    Outputs: {
      ...(existingNodeRoles.length > 0
        ? {}
        : { NodeRole: { Description: 'spec.role of the EC2NodeClass', Value: { Ref: 'KarpenterNodeRole' } } }),
      InterruptionQueue: {
        Description: 'settings.interruptionQueue of the chart',
        Value: { 'Fn::GetAtt': ['KarpenterInterruptionQueue', 'QueueName'] },
      },
      ...(trust === undefined
        ? {}
        : {
            ControllerRole: {
              Description: 'role of the service account',
              Value: resourceArn('KarpenterControllerRole'),
            },
          }),
    },
  }
}
