import { UsageError } from '@kerf/provider-kit/command-line'
import { awsPartition, ec2Service } from '../api/partition.ts'
import type { PolicyScope } from '../policy/statement.ts'

/** The options of the `kerf aws` commands that identify the cluster. */
export interface TargetOptions {
  readonly clusterName: string
  readonly region?: string
  readonly account?: string
  readonly nodeRoleName?: string
}

const CLUSTER_NAME = /^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/
const ROLE_NAME_LIMIT = 64
const POLICY_NAME_LIMIT = 128
const LONGEST_POLICY = 'KarpenterControllerResourceDiscoveryPolicy-'

/** Names of the resources of an installation (`providers/aws/docs/spec/aws-installation.md#cloudformation-stack`), each valid for IAM. */
export interface InstallNames {
  readonly clusterName: string
  readonly nodeRole: string
  readonly controllerRole: string
  readonly queue: string
}

const checkRole = (name: string, remedy: string): string => {
  if (name.length <= ROLE_NAME_LIMIT) return name
  throw new UsageError(
    `the role name ${name} has ${name.length} characters, but IAM allows ${ROLE_NAME_LIMIT}: ${remedy}`,
  )
}

/**
 * Returns the names for an installation.
 * @throws UsageError for a name that EKS or IAM would refuse, with the remedy
 */
export const installNames = (options: Pick<TargetOptions, 'clusterName' | 'nodeRoleName'>): InstallNames => {
  const { clusterName } = options
  if (!CLUSTER_NAME.test(clusterName))
    throw new UsageError(
      `--cluster-name ${JSON.stringify(clusterName)} is not a valid EKS cluster name: up to 100 letters, digits, - and _, starting with a letter or digit`,
    )
  if (LONGEST_POLICY.length + clusterName.length > POLICY_NAME_LIMIT)
    throw new UsageError(
      `--cluster-name ${clusterName} results in policy names longer than the ${POLICY_NAME_LIMIT} characters that IAM allows: create the policies manually from: kerf aws policy --capability NAME`,
    )
  return {
    clusterName,
    nodeRole: checkRole(options.nodeRoleName ?? `KarpenterNodeRole-${clusterName}`, 'use a shorter --node-role-name'),
    controllerRole: `${clusterName.slice(0, ROLE_NAME_LIMIT - '-karpenter'.length)}-karpenter`,
    queue: clusterName.slice(0, 80),
  }
}

/** Returns the region from the flag, or else from the environment, like AWS's own tools. */
export const resolveRegion = (
  options: Pick<TargetOptions, 'region'>,
  env: Readonly<Record<string, string | undefined>>,
): string => {
  const region = options.region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION']
  if (region === undefined || region === '') throw new UsageError('the region is unknown: set --region or AWS_REGION')
  if (!/^[a-z]{2,}(-[a-z]+)+-\d+$/.test(region))
    throw new UsageError(`--region ${JSON.stringify(region)} is not the name of a region such as eu-west-1`)
  return region
}

/** Returns the scope of the permissions: cluster, region and account. */
export const policyScope = (
  options: TargetOptions,
  env: Readonly<Record<string, string | undefined>>,
): Required<PolicyScope> => {
  const names = installNames(options)
  const region = resolveRegion(options, env)
  if (options.account === undefined)
    throw new UsageError(
      'the account is unknown: set --account to the twelve digits that aws sts get-caller-identity prints',
    )
  if (!/^\d{12}$/.test(options.account))
    throw new UsageError(
      `--account ${JSON.stringify(options.account)} is not an AWS account ID: it must have twelve digits`,
    )
  const { name: partition } = awsPartition(region)
  return {
    clusterName: names.clusterName,
    region,
    accountId: options.account,
    partition,
    ec2Service: ec2Service(partition),
    nodeRoleName: names.nodeRole,
    otherNodeRoleNames: [],
    queueName: names.queue,
  }
}
