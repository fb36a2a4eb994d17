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
  RunInstancesCommandInput,
  SecurityGroup,
  SpotPrice,
  Subnet,
  Tag,
} from '@aws-sdk/client-ec2'
import type { Ec2InstanceType } from './ec2-instance-type.ts'

/**
 * All calls to AWS that the provider makes. Production makes them through the SDK (`sdk-api.ts`), tests in process. Lists
 * are complete: every page was read, or the call failed. `awsFailureOf` classifies what a call throws.
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
}

export interface Ec2Api {
  /** A call that needs only credentials and a region; resolves when both are right. */
  probe(signal: AbortSignal): Promise<void>
  /** Of the architectures and the virtualization that nodes can have. */
  describeInstanceTypes(signal: AbortSignal): Promise<readonly Ec2InstanceType[]>
  /** Which types each zone has. */
  describeInstanceTypeOfferings(signal: AbortSignal): Promise<readonly InstanceTypeOffering[]>
  /** Deprecated ones too. */
  describeImages(
    query: { readonly filters: readonly Filter[]; readonly owners?: readonly string[] },
    signal: AbortSignal,
  ): Promise<readonly Image[]>
  describeSubnets(filters: readonly Filter[], signal: AbortSignal): Promise<readonly Subnet[]>
  describeSecurityGroups(filters: readonly Filter[], signal: AbortSignal): Promise<readonly SecurityGroup[]>
  /** By names, of which each must exist, or by filters. */
  describeLaunchTemplates(
    query: { readonly names: readonly string[] } | { readonly filters: readonly Filter[] },
    signal: AbortSignal,
  ): Promise<readonly LaunchTemplate[]>
  createLaunchTemplate(input: CreateLaunchTemplateCommandInput, signal: AbortSignal): Promise<LaunchTemplate>
  deleteLaunchTemplate(
    template: { readonly id: string } | { readonly name: string },
    signal: AbortSignal,
  ): Promise<void>
  /** A dry run is tried once only, and its success is thrown as `DryRunOperation`. */
  createFleet(input: CreateFleetCommandInput, signal: AbortSignal): Promise<CreateFleetCommandOutput>
  /** Only ever a dry run. */
  tryRunInstances(input: RunInstancesCommandInput, signal: AbortSignal): Promise<void>
  describeInstances(
    query: { readonly ids?: readonly string[]; readonly filters: readonly Filter[] },
    signal: AbortSignal,
  ): Promise<readonly Instance[]>
  describeInstanceStatus(filters: readonly Filter[], signal: AbortSignal): Promise<readonly InstanceStatus[]>
  terminateInstances(ids: readonly string[], signal: AbortSignal): Promise<readonly InstanceStateChange[]>
  createTags(ids: readonly string[], tags: readonly Tag[], signal: AbortSignal): Promise<void>
  /** Prices of Linux from `since` on. */
  describeSpotPriceHistory(since: Date, signal: AbortSignal): Promise<readonly SpotPrice[]>
  /** Active ones, by id or by filters. */
  describeCapacityReservations(
    query: { readonly id: string } | { readonly filters: readonly Filter[] },
    signal: AbortSignal,
  ): Promise<readonly CapacityReservation[]>
  describePlacementGroups(
    query: { readonly id: string } | { readonly name: string },
    signal: AbortSignal,
  ): Promise<readonly PlacementGroup[]>
}

export interface SsmApi {
  /** The value of a parameter; throws `ParameterNotFound`. */
  getParameter(name: string, signal: AbortSignal): Promise<string | undefined>
}

/** An instance profile, as far as it matters. */
export interface InstanceProfile {
  readonly name: string
  readonly path: string
  /** Names of its roles: at most one. */
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
  /** The products of a service whose attributes have these values, each as the JSON text of the price list. */
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
  /** The URL of the queue; throws `QueueDoesNotExist`. */
  queueUrl(name: string, signal: AbortSignal): Promise<string>
  /** Up to ten messages, after at most twenty seconds; they are hidden from others for as long. */
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
  /** The account and the ARN that the credentials stand for. */
  callerIdentity(signal: AbortSignal): Promise<{ readonly account: string; readonly arn: string }>
}

/** That traffic was shifted away from a zone. */
export interface ZonalShift {
  /** The id of the zone, such as `use1-az1`: names differ from account to account. */
  readonly awayFrom: string
  /** Whether it is in force; of several on one zone only one is. */
  readonly isApplied: boolean
  /** In milliseconds since 1970; a shift that AWS makes by itself has no end that is known before. */
  readonly expiresAt?: number
}

/** A resource that zones can be shifted away for. */
export interface ManagedResource {
  readonly shifts: readonly ZonalShift[]
}

export interface ZonalShiftApi {
  /** Throws `ResourceNotFoundException` for a cluster that zonal shift is not turned on for. */
  getManagedResource(arn: string, signal: AbortSignal): Promise<ManagedResource>
}

/** A filter of EC2. */
export const filterOf = (name: string, ...values: readonly string[]): Filter => ({ Name: name, Values: [...values] })

/** Filters for the tags of a selector term: all must be there, `*` for any value. */
export const tagFilters = (tags: Readonly<Record<string, string>>): readonly Filter[] =>
  Object.entries(tags).map(([key, value]) => (value === '*' ? filterOf('tag-key', key) : filterOf(`tag:${key}`, value)))

/** Tags as EC2 lists them, by key. */
export const tagsOf = (tags: readonly Tag[] | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]))

/** Tags as EC2 takes them, in order of their keys. */
export const ec2Tags = (tags: Readonly<Record<string, string>>): Tag[] =>
  Object.entries(tags)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([Key, Value]) => ({ Key, Value }))
