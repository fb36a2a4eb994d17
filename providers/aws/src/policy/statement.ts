import type { PermissionStatement } from '@kerf/provider-kit'

/** What Kerf does in an account. When the permissions of one capability are missing, only that capability fails. */
export const capabilities = {
  launch: 'launch, tag and end instances',
  instanceProfiles: 'make instance profiles for the role of an EC2NodeClass',
  clusterFacts: 'find the endpoint, version and addresses of the cluster',
  interruption: 'drain nodes before EC2 takes them away (the interruption queue)',
  zonalShift: 'keep away from zones that traffic was shifted away from',
  discovery: 'find instance types, images, subnets, security groups and prices',
} as const
export type Capability = keyof typeof capabilities

/** The cluster and account that the permissions are for. */
export interface PolicyScope {
  readonly clusterName: string
  readonly region: string
  readonly accountId: string
  /** As in ARNs: `aws`, `aws-cn`, `aws-us-gov`, `aws-iso`… */
  readonly partition?: string
  /** The name of EC2 as a service that may assume a role. The default is that of the partition. */
  readonly ec2Service?: string
  /** Name of the role of the nodes. */
  readonly nodeRoleName?: string
  /** Names of other roles that nodes have, as after a migration from several node groups. */
  readonly otherNodeRoleNames?: readonly string[]
  /** Name of the interruption queue. The default is the name of the cluster. */
  readonly queueName?: string
}

/** The conditions of a statement: operator, key, value. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>

/** A statement of an IAM policy, with the capability that it is for; its name is its `Sid`. */
export type PolicyStatement = PermissionStatement<Capability, Conditions>

/** `service:Action` for each of the space-separated names. */
export const actionsOf = (service: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${service}:${name}`)

/** The ARNs and tag conditions that statements are scoped by. */
export interface StatementScope {
  readonly scope: Required<PolicyScope>
  /** All resources of the kind in EC2, in the region. */
  readonly ec2: (kind: string) => string
  /** All public resources of the kind in EC2. Their ARNs have no account. */
  readonly publicEc2: (kind: string) => string
  readonly instanceProfiles: string
  readonly clusterArn: string
}
