import {
  expression,
  type Resource,
  type TerraformArguments,
  type TerraformValue,
  terraformJson,
  terraformSet,
} from '@kerf/provider-kit/terraform'
import { ec2Service } from '../api/partition.ts'
import { policyDocuments } from '../policy/documents.ts'
import type { PolicyScope } from '../policy/statement.ts'
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
} from './account-resources.ts'
import type { ClusterChoices } from './eksctl-config.ts'
import type { InstallNames } from './install-target.ts'

/** Resources, and the local values that they refer to. */
interface Module {
  readonly resources: readonly Resource[]
  readonly locals: TerraformArguments
}

const resource = (type: string, name: string, own: TerraformArguments): Resource => ({ type, name, arguments: own })

const merged = (modules: readonly Module[]): Module => ({
  resources: modules.flatMap(({ resources }) => resources),
  locals: Object.fromEntries(modules.flatMap(({ locals }) => Object.entries(locals))),
})

/**
 * Returns the JSON of a local value, for arguments that are documents. Each document is a separate local value, so that it stays readable
 * and depends only on the resources that it refers to.
 */
const localDocument = (local: string): string => expression(`jsonencode(local.${local})`)

const roleWith = (
  id: string,
  name: string,
  trust: TerraformValue,
  policies: readonly string[],
  partition: string,
): Module => ({
  locals: { [`${id}_trust`]: trust },
  resources: [
    resource('aws_iam_role', id, { name, assume_role_policy: localDocument(`${id}_trust`) }),
    resource('aws_iam_role_policy_attachment', id, {
      for_each: terraformSet(policies),
      role: expression(`aws_iam_role.${id}.name`),
      policy_arn: `arn:${partition}:iam::aws:policy/${expression('each.value')}`,
    }),
  ],
})

/** Returns a role name of at most 64 characters, the limit of IAM. */
const shortName = ({ clusterName }: InstallNames, what: string): string =>
  `${clusterName.slice(0, 63 - what.length)}-${what}`

const clusterModule = (names: InstallNames, { kubernetesVersion }: ClusterChoices): Module => ({
  locals: {},
  resources: [
    resource('aws_eks_cluster', 'this', {
      name: names.clusterName,
      role_arn: expression('aws_iam_role.cluster.arn'),
      ...(kubernetesVersion === undefined ? {} : { version: kubernetesVersion }),
      depends_on: ['aws_iam_role_policy_attachment.cluster'],
      access_config: { authentication_mode: 'API_AND_CONFIG_MAP', bootstrap_cluster_creator_admin_permissions: true },
      vpc_config: { subnet_ids: expression('var.subnet_ids') },
    }),
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
  ],
})

const addon = (name: string, own: TerraformArguments = {}): Resource =>
  resource('aws_eks_addon', name.replaceAll('-', '_'), {
    cluster_name: expression('aws_eks_cluster.this.name'),
    addon_name: name,
    ...own,
  })

/** Returns a managed node group for the controller, which gets its role through EKS Pod Identity. */
const managedNodesModule = (names: InstallNames, { namespace }: ClusterChoices, partition: string): Module => {
  const { instanceType, size, labels, taint } = SYSTEM_GROUP
  const group = resource('aws_eks_node_group', 'system', {
    cluster_name: expression('aws_eks_cluster.this.name'),
    node_group_name: SYSTEM_GROUP.name,
    node_role_arn: expression('aws_iam_role.system.arn'),
    subnet_ids: expression('var.subnet_ids'),
    instance_types: [instanceType],
    ami_type: 'AL2023_x86_64_STANDARD',
    labels: { ...labels },
    depends_on: ['aws_iam_role_policy_attachment.system', 'aws_eks_addon.vpc_cni'],
    scaling_config: { min_size: size, desired_size: size, max_size: size },
    taint: { key: taint.key, value: taint.value, effect: 'NO_SCHEDULE' },
  })
  const controller: Module = {
    locals: { controller_trust: POD_IDENTITY_TRUST },
    resources: [
      group,
      ...['vpc-cni', 'kube-proxy', 'eks-pod-identity-agent'].map((name) => addon(name)),
      addon('coredns', { depends_on: ['aws_eks_node_group.system'] }),
      resource('aws_iam_role', 'controller', {
        name: names.controllerRole,
        assume_role_policy: localDocument('controller_trust'),
      }),
      resource('aws_eks_pod_identity_association', 'controller', {
        cluster_name: expression('aws_eks_cluster.this.name'),
        namespace,
        service_account: 'karpenter',
        role_arn: expression('aws_iam_role.controller.arn'),
      }),
    ],
  }
  const trust = trustService(ec2Service(partition))
  return merged([roleWith('system', shortName(names, 'system'), trust, NODE_POLICIES, partition), controller])
}

const fargateProfile = (namespace: string): Resource =>
  resource('aws_eks_fargate_profile', 'karpenter', {
    cluster_name: expression('aws_eks_cluster.this.name'),
    fargate_profile_name: 'karpenter',
    pod_execution_role_arn: expression('aws_iam_role.fargate.arn'),
    // Fargate accepts only private subnets.
    subnet_ids: expression('var.subnet_ids'),
    depends_on: ['aws_iam_role_policy_attachment.fargate'],
    selector: fargateSelectors(namespace).map((selector) => ({
      namespace: selector.namespace,
      labels: { ...selector.labels },
    })),
  })

/** Returns a Fargate profile for the controller, which gets its role through the cluster's OpenID Connect provider (IRSA). */
const fargateModule = (names: InstallNames, { namespace }: ClusterChoices, partition: string): Module => {
  const provider = expression('aws_iam_openid_connect_provider.cluster.arn')
  const controller: Module = {
    locals: {
      issuer: expression('replace(aws_eks_cluster.this.identity[0].oidc[0].issuer, "https://", "")'),
      coredns_configuration: { computeType: 'Fargate' },
      controller_trust: irsaTrust(provider, expression('local.issuer'), namespace),
    },
    resources: [
      fargateProfile(namespace),
      ...['vpc-cni', 'kube-proxy'].map((name) => addon(name)),
      addon('coredns', {
        configuration_values: localDocument('coredns_configuration'),
        depends_on: ['aws_eks_fargate_profile.karpenter'],
      }),
      resource('aws_iam_openid_connect_provider', 'cluster', {
        url: expression('aws_eks_cluster.this.identity[0].oidc[0].issuer'),
        client_id_list: ['sts.amazonaws.com'],
      }),
      resource('aws_iam_role', 'controller', {
        name: names.controllerRole,
        assume_role_policy: localDocument('controller_trust'),
      }),
    ],
  }
  const trust = trustService('eks-fargate-pods.amazonaws.com')
  const policies = ['AmazonEKSFargatePodExecutionRolePolicy']
  return merged([roleWith('fargate', shortName(names, 'fargate'), trust, policies, partition), controller])
}

const policyModule = (scope: Required<PolicyScope>): Module => {
  const policies = [...policyDocuments(scope)].map(([name, document]) => {
    const part = name.slice('KarpenterController'.length, name.indexOf('Policy-'))
    const id = part.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase()
    return { id, name, document }
  })
  return {
    // The `as` only widens the type: a policy consists of strings, lists and objects.
    locals: Object.fromEntries(
      policies.map(({ id, document }) => [`${id}_policy`, document as unknown as TerraformValue]),
    ),
    resources: [
      ...policies.map(({ id, name }) =>
        resource('aws_iam_policy', id, { name, policy: localDocument(`${id}_policy`) }),
      ),
      resource('aws_iam_role_policy_attachment', 'controller', {
        for_each: Object.fromEntries(policies.map(({ id }) => [id, expression(`aws_iam_policy.${id}.arn`)])),
        role: expression('aws_iam_role.controller.name'),
        policy_arn: expression('each.value'),
      }),
    ],
  }
}

const queueModule = (names: InstallNames): Module => {
  const rules = eventRules.map((rule) => {
    const id = rule.name
      .replace(/Rule$/, '')
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
      .toLowerCase()
    return { id, pattern: eventPattern(rule) }
  })
  return {
    locals: {
      queue_policy: queuePolicy(expression('aws_sqs_queue.interruption.arn')),
      ...Object.fromEntries(rules.map(({ id, pattern }) => [`${id}_events`, pattern])),
    },
    resources: [
      resource('aws_sqs_queue', 'interruption', {
        name: names.queue,
        message_retention_seconds: QUEUE_RETENTION_SECONDS,
        sqs_managed_sse_enabled: true,
      }),
      resource('aws_sqs_queue_policy', 'interruption', {
        queue_url: expression('aws_sqs_queue.interruption.url'),
        policy: localDocument('queue_policy'),
      }),
      ...rules.flatMap(({ id }) => [
        resource('aws_cloudwatch_event_rule', id, {
          name_prefix: `${names.clusterName.slice(0, 10)}-${id.replaceAll('_', '-').slice(0, 26)}-`,
          event_pattern: localDocument(`${id}_events`),
        }),
        resource('aws_cloudwatch_event_target', id, {
          rule: expression(`aws_cloudwatch_event_rule.${id}.name`),
          arn: expression('aws_sqs_queue.interruption.arn'),
        }),
      ]),
    ],
  }
}

const nodeModule = (names: InstallNames, partition: string): Module =>
  merged([
    roleWith('node', names.nodeRole, trustService(ec2Service(partition)), NODE_POLICIES, partition),
    {
      locals: {},
      resources: [
        resource('aws_eks_access_entry', 'node', {
          cluster_name: expression('aws_eks_cluster.this.name'),
          principal_arn: expression('aws_iam_role.node.arn'),
          type: 'EC2_LINUX',
        }),
      ],
    },
  ])

/**
 * Returns a Terraform module in JSON syntax. It contains the cluster with nodes for the controller, the role and access entry of
 * launched nodes, the controller's role with the six policies, the interruption queue, and its rules. The only variable is the list of
 * subnets.
 */
export const terraformConfig = (names: InstallNames, scope: Required<PolicyScope>, choices: ClusterChoices): string => {
  const { partition } = scope
  const clusterTrust = trustService('eks.amazonaws.com')
  const home = choices.home === 'fargate' ? fargateModule : managedNodesModule
  const { resources, locals } = merged([
    roleWith('cluster', shortName(names, 'cluster'), clusterTrust, ['AmazonEKSClusterPolicy'], partition),
    clusterModule(names, choices),
    home(names, choices, partition),
    policyModule(scope),
    nodeModule(names, partition),
    queueModule(names),
  ])
  return terraformJson({
    terraform: { required_providers: { aws: { source: 'hashicorp/aws', version: '>= 5.79' } } },
    provider: { aws: { region: scope.region, allowed_account_ids: [scope.accountId] } },
    variable: {
      subnet_ids: {
        type: 'list(string)',
        description: 'Subnets of the cluster and its nodes, in at least two zones. Fargate needs private subnets.',
      },
    },
    locals,
    resource: resources,
    output: {
      controller_role_arn: { value: expression('aws_iam_role.controller.arn') },
      node_role: { value: expression('aws_iam_role.node.name') },
      interruption_queue: { value: expression('aws_sqs_queue.interruption.name') },
    },
  })
}
