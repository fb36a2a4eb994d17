import type { PermissionStatement } from '@kerf/provider-kit'

/** Kerf's capabilities in an account. If the permissions for one of them are missing, only that capability fails. */
export const capabilities = {
  launch: 'launch, tag and terminate instances',
  instanceProfiles: 'create instance profiles for the role of an EC2NodeClass',
  clusterFacts: 'find the endpoint, version and addresses of the cluster',
  interruption: 'drain nodes before EC2 interrupts them (the interruption queue)',
  zonalShift: 'avoid zones from which traffic was shifted away',
  commitments: 'read reserved instances and Savings Plans (spec.commitmentSource.account)',
  discovery: 'find instance types, images, subnets, security groups and prices',
} as const
export type Capability = keyof typeof capabilities

/** The cluster and account of the permissions. */
export interface PolicyScope {
  readonly clusterName: string
  readonly region: string
  readonly accountId: string
  /** The partition in ARNs: `aws`, `aws-cn`, `aws-us-gov`, `aws-iso`… */
  readonly partition?: string
  /** The service principal of EC2. The default is that of the partition. */
  readonly ec2Service?: string
  /** The name of the nodes' role. */
  readonly nodeRoleName?: string
  /** The names of other node roles, for example after a migration from several node groups. */
  readonly otherNodeRoleNames?: readonly string[]
  /** The name of the interruption queue. The default is the name of the cluster. */
  readonly queueName?: string
}

/** The conditions of a statement: operator, key, value. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>

/** A statement of an IAM policy, with the capability of Kerf that needs it. The name of the statement is its `Sid`. */
export type PolicyStatement = PermissionStatement<Capability, Conditions>

/** Returns `service:Action` for each of the space-separated names. */
export const serviceActions = (service: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${service}:${name}`)

/** The ARNs and tag conditions that limit statements. */
export interface StatementScope {
  readonly scope: Required<PolicyScope>
  /** Returns the ARN pattern that matches all EC2 resources of the kind in the region. */
  readonly ec2: (kind: string) => string
  /** Returns the ARN pattern that matches all public EC2 resources of the kind. It contains no account. */
  readonly publicEc2: (kind: string) => string
  readonly instanceProfiles: string
  readonly clusterArn: string
}
