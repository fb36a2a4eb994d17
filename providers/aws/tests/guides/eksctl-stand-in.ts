/**
 * Simulates eksctl for the guides, because the tests cannot use the real one. Usage: `eksctl create|delete cluster -f FILE`, with
 * AWS_ENDPOINT_URL. It creates the resources of a `ClusterConfig` in the emulated account, and refuses references to missing roles and
 * policies as AWS would.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { callEks, callForm } from '../emulator-call.ts'

interface ClusterConfig {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly tags?: Readonly<Record<string, string>> }
  readonly accessConfig?: { readonly accessEntries?: readonly { readonly principalARN: string }[] }
  readonly iam?: {
    readonly podIdentityAssociations?: readonly { readonly roleARN: string }[]
    readonly serviceAccounts?: readonly { readonly roleName: string; readonly attachPolicyARNs: readonly string[] }[]
  }
  readonly managedNodeGroups?: readonly {
    readonly name: string
    readonly instanceType: string
    readonly desiredCapacity: number
    readonly labels?: Readonly<Record<string, string>>
    readonly taints?: readonly { readonly key: string; readonly value: string; readonly effect: string }[]
  }[]
  readonly fargateProfiles?: readonly { readonly name: string; readonly selectors: readonly object[] }[]
}

const endpoint = process.env['AWS_ENDPOINT_URL'] ?? ''
const query = (service: 'iam' | 'ec2', fields: Readonly<Record<string, string>>): Promise<string> =>
  callForm(endpoint, service, fields)
const eks = (method: 'POST' | 'DELETE', path: string, body?: object): Promise<string> =>
  callEks(endpoint, method, path, body)

const idsIn = (xml: string, element: string): readonly string[] => [
  ...new Set(xml.matchAll(new RegExp(`<${element}>([^<]+)</${element}>`, 'g')).map(([, id = '']) => id)),
]

const roleNameOf = (arn: string): string => arn.slice(arn.lastIndexOf('/') + 1)

const createRoles = async ({ accessConfig, iam }: ClusterConfig): Promise<void> => {
  for (const { principalARN } of accessConfig?.accessEntries ?? [])
    await query('iam', { Action: 'GetRole', RoleName: roleNameOf(principalARN) })
  for (const { roleARN } of iam?.podIdentityAssociations ?? [])
    await query('iam', { Action: 'GetRole', RoleName: roleNameOf(roleARN) })
  for (const { roleName, attachPolicyARNs } of iam?.serviceAccounts ?? []) {
    const trust = JSON.stringify({ Version: '2012-10-17', Statement: [] })
    await query('iam', { Action: 'CreateRole', RoleName: roleName, AssumeRolePolicyDocument: trust })
    for (const arn of attachPolicyARNs) {
      await query('iam', { Action: 'GetPolicy', PolicyArn: arn })
      await query('iam', { Action: 'AttachRolePolicy', RoleName: roleName, PolicyArn: arn })
    }
  }
}

const EFFECTS: Readonly<Record<string, string>> = { NoSchedule: 'NO_SCHEDULE', NoExecute: 'NO_EXECUTE' }

const createCluster = async (config: ClusterConfig): Promise<void> => {
  const { name, tags = {} } = config.metadata
  await createRoles(config)
  const subnets = idsIn(await query('ec2', { Action: 'DescribeSubnets' }), 'subnetId').slice(0, 3)
  const [group = ''] = idsIn(await query('ec2', { Action: 'DescribeSecurityGroups' }), 'groupId')
  const tagged = Object.entries(tags).flatMap(([key, value], index) => [
    [`Tag.${index + 1}.Key`, key],
    [`Tag.${index + 1}.Value`, value],
  ])
  const resources = [...subnets, group].map((id, index) => [`ResourceId.${index + 1}`, id])
  await query('ec2', { Action: 'CreateTags', ...Object.fromEntries([...resources, ...tagged]) })
  const roleArn = 'arn:aws:iam::123456789012:role/eksctl-cluster'
  await eks('POST', '', {
    name,
    roleArn,
    tags,
    resourcesVpcConfig: { subnetIds: subnets, securityGroupIds: [group] },
  })
  for (const { name: nodegroupName, instanceType, desiredCapacity, labels, taints } of config.managedNodeGroups ?? [])
    await eks('POST', `/${name}/node-groups`, {
      nodegroupName,
      subnets,
      nodeRole: roleArn,
      instanceTypes: [instanceType],
      scalingConfig: { minSize: desiredCapacity, maxSize: desiredCapacity, desiredSize: desiredCapacity },
      labels,
      taints: taints?.map((taint) => ({ ...taint, effect: EFFECTS[taint.effect] })),
    })
  for (const { name: fargateProfileName, selectors } of config.fargateProfiles ?? [])
    await eks('POST', `/${name}/fargate-profiles`, {
      fargateProfileName,
      podExecutionRoleArn: roleArn,
      subnets,
      selectors,
    })
}

const deleteCluster = async (config: ClusterConfig): Promise<void> => {
  const { name } = config.metadata
  for (const group of config.managedNodeGroups ?? []) await eks('DELETE', `/${name}/node-groups/${group.name}`)
  for (const profile of config.fargateProfiles ?? []) await eks('DELETE', `/${name}/fargate-profiles/${profile.name}`)
  for (const { roleName, attachPolicyARNs } of config.iam?.serviceAccounts ?? []) {
    for (const arn of attachPolicyARNs)
      await query('iam', { Action: 'DetachRolePolicy', RoleName: roleName, PolicyArn: arn })
    await query('iam', { Action: 'DeleteRole', RoleName: roleName })
  }
  await eks('DELETE', `/${name}`)
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { filename: { type: 'string', short: 'f' }, wait: { type: 'boolean' } },
})
const config = parse(readFileSync(values.filename ?? '', 'utf8')) as ClusterConfig
if (config.apiVersion !== 'eksctl.io/v1alpha5' || config.kind !== 'ClusterConfig')
  throw new Error(`${config.apiVersion} ${config.kind} is not a ClusterConfig`)
switch (positionals.join(' ')) {
  case 'create cluster':
    await createCluster(config)
    break
  case 'delete cluster':
    await deleteCluster(config)
    break
  default:
    throw new Error(`eksctl ${positionals.join(' ')}: not played here`)
}
