import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { type AwsApi, ec2Filter } from '../../api/aws-api.ts'
import type { VerifyTarget } from './verify-plan.ts'

export interface TargetChoice {
  readonly region: string
  readonly run: string
  readonly nodeRoleName: string
  readonly subnetId: readonly string[]
  readonly securityGroupId: readonly string[]
  readonly kubernetesVersion: string
}

const VERSION = /^1\.\d{2}$/

/**
 * Returns the subnets and security groups for the launches: those that the user specified, or the default ones of the region. Reads only.
 * @throws UsageError for an invalid version; CliError if AWS has no such subnets or groups
 */
export const findTarget = async (
  ec2: AwsApi['ec2'],
  choice: TargetChoice,
  signal: AbortSignal,
): Promise<{ readonly target: VerifyTarget; readonly zones: readonly string[] }> => {
  const { region, run, nodeRoleName: role, kubernetesVersion } = choice
  if (!VERSION.test(kubernetesVersion))
    throw new UsageError(
      `--kubernetes-version ${kubernetesVersion} is not a version such as 1.34; it determines the image`,
    )
  const named = choice.subnetId.length > 0
  const subnets = await ec2.describeSubnets(
    [named ? ec2Filter('subnet-id', ...choice.subnetId) : ec2Filter('default-for-az', 'true')],
    signal,
  )
  const subnetIds = subnets.flatMap(({ SubnetId }) => SubnetId ?? [])
  const missing = choice.subnetId.filter((id) => !subnetIds.includes(id))
  if (missing.length > 0) throw new CliError(`${region} has no subnet ${missing.join(', ')}`)
  if (subnetIds.length === 0)
    throw new CliError(`${region} has no default subnets; set --subnet-id and --security-group-id`)
  const vpcs = [...new Set(subnets.flatMap(({ VpcId }) => VpcId ?? []))]
  if (vpcs.length > 1)
    throw new CliError(`the subnets are in several VPCs (${vpcs.join(', ')}); choose subnets of one VPC`)
  const securityGroupIds =
    choice.securityGroupId.length > 0
      ? choice.securityGroupId
      : (
          await ec2.describeSecurityGroups([ec2Filter('group-name', 'default'), ec2Filter('vpc-id', ...vpcs)], signal)
        ).flatMap(({ GroupId }) => GroupId ?? [])
  if (securityGroupIds.length === 0)
    throw new CliError(`the VPC has no security group "default"; set --security-group-id`)
  return {
    target: { region, run, role, subnetIds, securityGroupIds, kubernetesVersion },
    zones: [...new Set(subnets.flatMap(({ AvailabilityZone }) => AvailabilityZone ?? []))],
  }
}
