import { ec2ServiceOf, type PolicyScope, policyDocuments } from '@kerf/provider-aws'
import {
  eventPattern,
  eventRules,
  fargateSelectors,
  irsaTrust,
  NODE_POLICIES,
  POD_IDENTITY_TRUST,
  QUEUE_RETENTION_SECONDS,
  queuePolicy,
  SYSTEM_GROUP,
  trustService,
} from './account-parts.ts'
import type { ClusterChoices } from './eksctl-config.ts'
import { type Expression, type HclBlock, type HclValue, hcl } from './hcl.ts'
import type { InstallNames } from './install-target.ts'

const expression = (text: string): Expression => ({ expression: text })
const interpolated = (text: string): string => `$${'{'}${text}}`
const resource = (
  type: string,
  name: string,
  attributes: Readonly<Record<string, HclValue>>,
  blocks: readonly HclBlock[] = [],
): HclBlock => ({ type: 'resource', labels: [type, name], attributes, blocks })

/** An object as the JSON text that AWS takes; interpolations in its texts stay. */
const json = (value: HclValue): Expression => {
  const text = hcl([{ type: 'x', attributes: { x: value } }])
  return expression(`jsonencode(${text.slice(text.indexOf('= ') + 2, text.lastIndexOf('}')).trim()})`)
}

const roleWith = (
  id: string,
  name: string,
  trust: HclValue,
  policies: readonly string[],
  partition: string,
): readonly HclBlock[] => [
  resource('aws_iam_role', id, { name, assume_role_policy: json(trust) }),
  resource('aws_iam_role_policy_attachment', id, {
    for_each: expression(`toset([${policies.map((policy) => JSON.stringify(policy)).join(', ')}])`),
    role: expression(`aws_iam_role.${id}.name`),
    policy_arn: `arn:${partition}:iam::aws:policy/${interpolated('each.value')}`,
  }),
]

const clusterBlocks = (names: InstallNames, { kubernetesVersion }: ClusterChoices, partition: string) => [
  ...roleWith(
    'cluster',
    shortName(names, 'cluster'),
    trustService('eks.amazonaws.com'),
    ['AmazonEKSClusterPolicy'],
    partition,
  ),
  resource(
    'aws_eks_cluster',
    'this',
    {
      name: names.clusterName,
      role_arn: expression('aws_iam_role.cluster.arn'),
      ...(kubernetesVersion === undefined ? {} : { version: kubernetesVersion }),
      depends_on: [expression('aws_iam_role_policy_attachment.cluster')],
    },
    [
      {
        type: 'access_config',
        attributes: { authentication_mode: 'API_AND_CONFIG_MAP', bootstrap_cluster_creator_admin_permissions: true },
      },
      { type: 'vpc_config', attributes: { subnet_ids: expression('var.subnet_ids') } },
    ],
  ),
  resource('aws_ec2_tag', 'subnet_discovery', {
    for_each: expression('toset(var.subnet_ids)'),
    resource_id: expression('each.value'),
    key: 'karpenter.sh/discovery',
    value: names.clusterName,
  }),
  resource('aws_ec2_tag', 'security_group_discovery', {
    resource_id: expression('aws_eks_cluster.this.vpc_config[0].cluster_security_group_id'),
    key: 'karpenter.sh/discovery',
    value: names.clusterName,
  }),
]

/** IAM takes 64 characters. */
const shortName = ({ clusterName }: InstallNames, what: string): string =>
  `${clusterName.slice(0, 63 - what.length)}-${what}`

const addon = (name: string, attributes: Readonly<Record<string, HclValue>> = {}): HclBlock =>
  resource('aws_eks_addon', name.replaceAll('-', '_'), {
    cluster_name: expression('aws_eks_cluster.this.name'),
    addon_name: name,
    ...attributes,
  })

const managedHome = (names: InstallNames, partition: string): readonly HclBlock[] => {
  const { instanceType, size, labels, taint } = SYSTEM_GROUP
  return [
    ...roleWith('system', shortName(names, 'system'), trustService(ec2ServiceOf(partition)), NODE_POLICIES, partition),
    resource(
      'aws_eks_node_group',
      'system',
      {
        cluster_name: expression('aws_eks_cluster.this.name'),
        node_group_name: SYSTEM_GROUP.name,
        node_role_arn: expression('aws_iam_role.system.arn'),
        subnet_ids: expression('var.subnet_ids'),
        instance_types: [instanceType],
        ami_type: 'AL2023_x86_64_STANDARD',
        labels: { ...labels },
        depends_on: [expression('aws_iam_role_policy_attachment.system'), expression('aws_eks_addon.vpc_cni')],
      },
      [
        { type: 'scaling_config', attributes: { min_size: size, desired_size: size, max_size: size } },
        { type: 'taint', attributes: { key: taint.key, value: taint.value, effect: 'NO_SCHEDULE' } },
      ],
    ),
    ...['vpc-cni', 'kube-proxy', 'eks-pod-identity-agent'].map((name) => addon(name)),
    addon('coredns', { depends_on: [expression('aws_eks_node_group.system')] }),
    resource('aws_iam_role', 'controller', {
      name: names.controllerRole,
      assume_role_policy: json(POD_IDENTITY_TRUST),
    }),
  ]
}

const fargateHome = (names: InstallNames, { namespace }: ClusterChoices, partition: string): readonly HclBlock[] => [
  ...roleWith(
    'fargate',
    shortName(names, 'fargate'),
    trustService('eks-fargate-pods.amazonaws.com'),
    ['AmazonEKSFargatePodExecutionRolePolicy'],
    partition,
  ),
  resource(
    'aws_eks_fargate_profile',
    'karpenter',
    {
      cluster_name: expression('aws_eks_cluster.this.name'),
      fargate_profile_name: 'karpenter',
      pod_execution_role_arn: expression('aws_iam_role.fargate.arn'),
      // Fargate takes private subnets only.
      subnet_ids: expression('var.subnet_ids'),
      depends_on: [expression('aws_iam_role_policy_attachment.fargate')],
    },
    fargateSelectors(namespace).map((selector) => ({
      type: 'selector',
      attributes: { namespace: selector.namespace, labels: { ...selector.labels } },
    })),
  ),
  ...['vpc-cni', 'kube-proxy'].map((name) => addon(name)),
  addon('coredns', {
    configuration_values: json({ computeType: 'Fargate' }),
    depends_on: [expression('aws_eks_fargate_profile.karpenter')],
  }),
  {
    type: 'locals',
    attributes: { issuer: expression('replace(aws_eks_cluster.this.identity[0].oidc[0].issuer, "https://", "")') },
  },
  resource('aws_iam_openid_connect_provider', 'cluster', {
    url: expression('aws_eks_cluster.this.identity[0].oidc[0].issuer'),
    client_id_list: ['sts.amazonaws.com'],
  }),
  resource('aws_iam_role', 'controller', {
    name: names.controllerRole,
    assume_role_policy: json(
      irsaTrust(interpolated('aws_iam_openid_connect_provider.cluster.arn'), interpolated('local.issuer'), namespace),
    ),
  }),
]

const policyBlocks = (scope: Required<PolicyScope>): readonly HclBlock[] => {
  const policies = [...policyDocuments(scope)].map(([name, document]) => {
    const part = name.slice('KarpenterController'.length, name.indexOf('Policy-'))
    const id = part.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase()
    return { id, name, document }
  })
  return [
    ...policies.map(({ id, name, document }) =>
      // `as` only widens: a policy is texts, lists and objects.
      resource('aws_iam_policy', id, { name, policy: json(document as unknown as HclValue) }),
    ),
    resource('aws_iam_role_policy_attachment', 'controller', {
      for_each: Object.fromEntries(policies.map(({ id }) => [id, expression(`aws_iam_policy.${id}.arn`)])),
      role: expression('aws_iam_role.controller.name'),
      policy_arn: expression('each.value'),
    }),
  ]
}

const queueBlocks = (names: InstallNames): readonly HclBlock[] => [
  resource('aws_sqs_queue', 'interruption', {
    name: names.queue,
    message_retention_seconds: QUEUE_RETENTION_SECONDS,
    sqs_managed_sse_enabled: true,
  }),
  resource('aws_sqs_queue_policy', 'interruption', {
    queue_url: expression('aws_sqs_queue.interruption.url'),
    policy: json(queuePolicy(interpolated('aws_sqs_queue.interruption.arn'))),
  }),
  ...eventRules.flatMap((rule) => {
    const id = rule.name
      .replace(/Rule$/, '')
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
      .toLowerCase()
    return [
      resource('aws_cloudwatch_event_rule', id, {
        name_prefix: `${names.clusterName.slice(0, 10)}-${id.replaceAll('_', '-').slice(0, 26)}-`,
        event_pattern: json(eventPattern(rule)),
      }),
      resource('aws_cloudwatch_event_target', id, {
        rule: expression(`aws_cloudwatch_event_rule.${id}.name`),
        arn: expression('aws_sqs_queue.interruption.arn'),
      }),
    ]
  }),
]

/**
 * A Terraform module: the cluster with a home for the controller, the role and access entry of the nodes it launches, its
 * own role with the six policies, the interruption queue and its rules. The subnets are the one thing it asks for.
 */
export const terraformConfig = (names: InstallNames, scope: Required<PolicyScope>, choices: ClusterChoices): string => {
  const { partition } = scope
  return hcl([
    {
      type: 'terraform',
      blocks: [
        {
          type: 'required_providers',
          attributes: { aws: { source: 'hashicorp/aws', version: '>= 5.79' } },
        },
      ],
    },
    {
      type: 'provider',
      labels: ['aws'],
      attributes: { region: scope.region, allowed_account_ids: [scope.accountId] },
    },
    {
      type: 'variable',
      labels: ['subnet_ids'],
      attributes: {
        type: expression('list(string)'),
        description: 'Subnets of the cluster and its nodes, in two zones at least; private ones for Fargate.',
      },
    },
    ...clusterBlocks(names, choices, partition),
    ...(choices.home === 'fargate' ? fargateHome(names, choices, partition) : managedHome(names, partition)),
    ...(choices.home === 'fargate'
      ? []
      : [
          resource('aws_eks_pod_identity_association', 'controller', {
            cluster_name: expression('aws_eks_cluster.this.name'),
            namespace: choices.namespace,
            service_account: 'karpenter',
            role_arn: expression('aws_iam_role.controller.arn'),
          }),
        ]),
    ...policyBlocks(scope),
    ...roleWith('node', names.nodeRole, trustService(ec2ServiceOf(partition)), NODE_POLICIES, partition),
    resource('aws_eks_access_entry', 'node', {
      cluster_name: expression('aws_eks_cluster.this.name'),
      principal_arn: expression('aws_iam_role.node.arn'),
      type: 'EC2_LINUX',
    }),
    ...queueBlocks(names),
    {
      type: 'output',
      labels: ['controller_role_arn'],
      attributes: { value: expression('aws_iam_role.controller.arn') },
    },
    { type: 'output', labels: ['node_role'], attributes: { value: expression('aws_iam_role.node.name') } },
    {
      type: 'output',
      labels: ['interruption_queue'],
      attributes: { value: expression('aws_sqs_queue.interruption.name') },
    },
  ])
}
