import type {
  CapacityReservation,
  CreateFleetCommandInput,
  CreateFleetCommandOutput,
  CreateLaunchTemplateCommandInput,
  Filter,
  Image,
  Instance,
  InstanceStateChange,
  InstanceStatus,
  InstanceTypeOffering,
  LaunchTemplate,
  PlacementGroup,
  ReservedInstances,
  RunInstancesCommandInput,
  SecurityGroup,
  SpotPrice,
  Subnet,
  Tag,
} from '@aws-sdk/client-ec2'
import type { Ec2InstanceType } from './ec2-instance-type.ts'

/**
 * All calls to AWS that the provider makes. Production uses the SDK (`sdk-api.ts`), and tests use an in-process fake. Lists are complete:
 * either every page was read, or the call failed. `classifyAwsFailure` classifies the errors that calls throw.
 */
export interface AwsApi {
  readonly ec2: Ec2Api
  readonly ssm: SsmApi
  readonly iam: IamApi
  readonly pricing: PricingApi
  readonly sqs: SqsApi
  readonly eks: EksApi
  readonly sts: StsApi
  readonly zonalShift: ZonalShiftApi
  readonly savingsPlans: SavingsPlansApi
}

export interface Ec2Api {
  /** Makes a call that needs only valid credentials and a valid region. Resolves if both are correct. */
  probe(signal: AbortSignal): Promise<void>
  /** Lists the instance types with the architectures and the virtualization type that nodes can have. */
  describeInstanceTypes(signal: AbortSignal): Promise<readonly Ec2InstanceType[]>
  /** Lists the instance types that each zone offers. */
  describeInstanceTypeOfferings(signal: AbortSignal): Promise<readonly InstanceTypeOffering[]>
  /** Lists images, including deprecated ones. */
  describeImages(
    query: { readonly filters: readonly Filter[]; readonly owners?: readonly string[] },
    signal: AbortSignal,
  ): Promise<readonly Image[]>
  describeSubnets(filters: readonly Filter[], signal: AbortSignal): Promise<readonly Subnet[]>
  describeSecurityGroups(filters: readonly Filter[], signal: AbortSignal): Promise<readonly SecurityGroup[]>
  /** Describes launch templates, either by filters or by name. Every given name must exist. */
  describeLaunchTemplates(
    query: { readonly names: readonly string[] } | { readonly filters: readonly Filter[] },
    signal: AbortSignal,
  ): Promise<readonly LaunchTemplate[]>
  createLaunchTemplate(input: CreateLaunchTemplateCommandInput, signal: AbortSignal): Promise<LaunchTemplate>
  deleteLaunchTemplate(
    template: { readonly id: string } | { readonly name: string },
    signal: AbortSignal,
  ): Promise<void>
  /** Creates a fleet. A dry run is not retried. If a dry run succeeds, the call throws `DryRunOperation`, as EC2 does. */
  createFleet(input: CreateFleetCommandInput, signal: AbortSignal): Promise<CreateFleetCommandOutput>
  /** Makes a RunInstances dry run. Never launches anything. */
  tryRunInstances(input: RunInstancesCommandInput, signal: AbortSignal): Promise<void>
  describeInstances(
    query: { readonly ids?: readonly string[]; readonly filters: readonly Filter[] },
    signal: AbortSignal,
  ): Promise<readonly Instance[]>
  describeInstanceStatus(filters: readonly Filter[], signal: AbortSignal): Promise<readonly InstanceStatus[]>
  terminateInstances(ids: readonly string[], signal: AbortSignal): Promise<readonly InstanceStateChange[]>
  createTags(ids: readonly string[], tags: readonly Tag[], signal: AbortSignal): Promise<void>
  /** Lists Linux spot prices, beginning at `since`. */
  describeSpotPriceHistory(since: Date, signal: AbortSignal): Promise<readonly SpotPrice[]>
  /** Lists active reservations, by id or by filters. */
  describeCapacityReservations(
    query: { readonly id: string } | { readonly filters: readonly Filter[] },
    signal: AbortSignal,
  ): Promise<readonly CapacityReservation[]>
  /** Lists the active reserved instances of the region. */
  describeReservedInstances(signal: AbortSignal): Promise<readonly ReservedInstances[]>
  describePlacementGroups(
    query: { readonly id: string } | { readonly name: string },
    signal: AbortSignal,
  ): Promise<readonly PlacementGroup[]>
}

export interface SsmApi {
  /** Returns the value of a parameter. Throws `ParameterNotFound` if the parameter does not exist. */
  getParameter(name: string, signal: AbortSignal): Promise<string | undefined>
}

/** The fields of an instance profile that Kerf uses. */
export interface InstanceProfile {
  readonly name: string
  readonly path: string
  /** The names of the roles in the instance profile. IAM allows at most one role. */
  readonly roles: readonly string[]
}

export interface IamApi {
  getInstanceProfile(name: string, signal: AbortSignal): Promise<InstanceProfile>
  listInstanceProfiles(pathPrefix: string, signal: AbortSignal): Promise<readonly InstanceProfile[]>
  createInstanceProfile(
    profile: { readonly name: string; readonly path: string; readonly tags: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<InstanceProfile>
  deleteInstanceProfile(name: string, signal: AbortSignal): Promise<void>
  addRole(profile: string, role: string, signal: AbortSignal): Promise<void>
  removeRole(profile: string, role: string, signal: AbortSignal): Promise<void>
}

export interface PricingApi {
  /** Lists the products of a service that have these attribute values. Each item is one product of the price list, as JSON text. */
  getProducts(
    service: string,
    attributes: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly string[]>
}

export interface QueueMessage {
  readonly body: string | undefined
  readonly receiptHandle: string | undefined
}

export interface SqsApi {
  /** Returns the URL of the queue. Throws `QueueDoesNotExist` if the queue does not exist. */
  queueUrl(name: string, signal: AbortSignal): Promise<string>
  /**
   * Receives up to ten messages. Waits at most twenty seconds for messages. Received messages stay hidden from other receivers for twenty
   * seconds.
   */
  receive(queueUrl: string, signal: AbortSignal): Promise<readonly QueueMessage[]>
  delete(queueUrl: string, receiptHandle: string, signal: AbortSignal): Promise<void>
}

export interface EksCluster {
  readonly arn?: string
  readonly endpoint?: string
  readonly version?: string
  readonly serviceCidr?: string
  readonly caBundle?: string
}

export interface EksApi {
  describeCluster(name: string, signal: AbortSignal): Promise<EksCluster>
}

export interface StsApi {
  /** Returns the account and ARN of the credentials. */
  callerIdentity(signal: AbortSignal): Promise<{ readonly account: string; readonly arn: string }>
}

/** A shift of traffic away from a zone. */
export interface ZonalShift {
  /** The zone id, such as `use1-az1`. Zone names cannot be used, because they differ between accounts. */
  readonly awayFrom: string
  /** Whether the shift is in effect. At most one shift per zone is in effect. */
  readonly isApplied: boolean
  /** When the shift ends, in milliseconds since 1970. Absent for autoshifts, which AWS starts itself and whose end is unknown. */
  readonly expiresAt?: number
}

/** A resource that supports zonal shifts. */
export interface ManagedResource {
  readonly shifts: readonly ZonalShift[]
}

export interface ZonalShiftApi {
  /** Throws `ResourceNotFoundException` if zonal shift is disabled for the cluster. */
  getManagedResource(arn: string, signal: AbortSignal): Promise<ManagedResource>
}

/** Returns an EC2 filter. */
export const ec2Filter = (name: string, ...values: readonly string[]): Filter => ({ Name: name, Values: [...values] })

/** Returns filters for the tags of a selector term. All tags must match. `*` matches any value. */
export const tagFilters = (tags: Readonly<Record<string, string>>): readonly Filter[] =>
  Object.entries(tags).map(([key, value]) =>
    value === '*' ? ec2Filter('tag-key', key) : ec2Filter(`tag:${key}`, value),
  )

/** Returns the tags of an EC2 object by key. */
export const tagMap = (tags: readonly Tag[] | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]))

/** Returns tags in EC2's format, sorted by key. */
export const ec2Tags = (tags: Readonly<Record<string, string>>): Tag[] =>
  Object.entries(tags)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([Key, Value]) => ({ Key, Value }))

/** A Savings Plan, as DescribeSavingsPlans returns it. */
export interface SavingsPlan {
  readonly id: string
  /** `Compute`, `EC2Instance` or another kind. */
  readonly kind: string
  readonly region: string
  /** The instance family of an `EC2Instance` plan. Empty for other kinds of plans. */
  readonly instanceFamily: string
  /** The hourly commitment as a decimal number. */
  readonly commitment: string
  readonly currency: string
  readonly start: string
  readonly end: string
}

/** The rate of one EC2 instance type in a plan, for Linux with shared tenancy. */
export interface SavingsPlanRate {
  readonly instanceType: string
  /** A decimal number per hour. */
  readonly rate: string
}

export interface SavingsPlansApi {
  /** Lists the active Savings Plans of the account. */
  describeSavingsPlans(signal: AbortSignal): Promise<readonly SavingsPlan[]>
  /** Lists the rates of a plan for EC2 in a region, for Linux with shared tenancy. */
  describeSavingsPlanRates(planId: string, region: string, signal: AbortSignal): Promise<readonly SavingsPlanRate[]>
}
