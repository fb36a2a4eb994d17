import type { Filter } from '@aws-sdk/client-ec2'
import { lazily } from '@kerf/provider-kit'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { type Ec2Api, ec2Filter } from './aws-api.ts'
import type { Ec2InstanceType } from './ec2-instance-type.ts'
import { clientConfig, type SdkOptions, type sdkMeter } from './sdk-clients.ts'

/** Page sizes (`providers/aws/docs/spec/aws-sdk.md#calls-and-errors`). */
const PAGE = { types: 100, large: 1000, templates: 200, network: 500, spot: 2000 } as const

/**
 * Returns the instance type with only the fields that decisions use, because the complete response for 1,400 types takes tens of megabytes
 * of memory.
 */
const lean = (type: Ec2InstanceType): Ec2InstanceType => ({
  InstanceType: type.InstanceType,
  SupportedUsageClasses: type.SupportedUsageClasses,
  BareMetal: type.BareMetal,
  Hypervisor: type.Hypervisor,
  ProcessorInfo: type.ProcessorInfo && {
    SupportedArchitectures: type.ProcessorInfo.SupportedArchitectures,
    SustainedClockSpeedInGhz: type.ProcessorInfo.SustainedClockSpeedInGhz,
    SupportedFeatures: type.ProcessorInfo.SupportedFeatures,
    Manufacturer: type.ProcessorInfo.Manufacturer,
  },
  VCpuInfo: type.VCpuInfo && { DefaultVCpus: type.VCpuInfo.DefaultVCpus },
  MemoryInfo: type.MemoryInfo,
  InstanceStorageInfo: type.InstanceStorageInfo && {
    TotalSizeInGB: type.InstanceStorageInfo.TotalSizeInGB,
    NvmeSupport: type.InstanceStorageInfo.NvmeSupport,
  },
  EbsInfo: type.EbsInfo && {
    EbsOptimizedSupport: type.EbsInfo.EbsOptimizedSupport,
    EbsOptimizedInfo: type.EbsInfo.EbsOptimizedInfo && {
      MaximumBandwidthInMbps: type.EbsInfo.EbsOptimizedInfo.MaximumBandwidthInMbps,
    },
  },
  NetworkInfo: type.NetworkInfo && {
    DefaultNetworkCardIndex: type.NetworkInfo.DefaultNetworkCardIndex,
    NetworkCards: type.NetworkInfo.NetworkCards?.map(({ NetworkCardIndex, MaximumNetworkInterfaces }) => ({
      NetworkCardIndex,
      MaximumNetworkInterfaces,
    })),
    MaximumNetworkInterfaces: type.NetworkInfo.MaximumNetworkInterfaces,
    Ipv4AddressesPerInterface: type.NetworkInfo.Ipv4AddressesPerInterface,
    EnaSupport: type.NetworkInfo.EnaSupport,
    EfaInfo: type.NetworkInfo.EfaInfo,
    EncryptionInTransitSupported: type.NetworkInfo.EncryptionInTransitSupported,
  },
  GpuInfo: type.GpuInfo,
  NeuronInfo: type.NeuronInfo,
  InferenceAcceleratorInfo: type.InferenceAcceleratorInfo,
  PlacementGroupInfo: type.PlacementGroupInfo,
  NitroEnclavesSupport: type.NitroEnclavesSupport,
})

/** Collects the items of all pages into one list. */
const gather = async <Page, T>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => readonly T[] | undefined,
): Promise<readonly T[]> => {
  const all: T[] = []
  for await (const page of pages) for (const item of itemsOf(page) ?? []) all.push(item)
  return all
}

const mutable = (filters: readonly Filter[]): Filter[] => [...filters]

/** Calls EC2 through the SDK, which is loaded at the first call. */
export class SdkEc2 implements Ec2Api {
  readonly #sdk = lazily(() => import('./clients/ec2.ts'))
  readonly #client
  /** A client for dry runs only. Retries are configured per client, and dry runs must not be retried. */
  readonly #once

  constructor(options: SdkOptions, meter: ReturnType<typeof sdkMeter>) {
    const newClient = (own: Parameters<typeof clientConfig>[1]) =>
      lazily(async () => meter(new (await this.#sdk()).EC2Client(clientConfig(options, own)), 'EC2'))
    this.#client = newClient({})
    this.#once = newClient({ maxAttempts: 1 })
  }

  readonly probe: Ec2Api['probe'] = async (abortSignal) => {
    const { DescribeInstanceTypesCommand } = await this.#sdk()
    try {
      await (await this.#client()).send(new DescribeInstanceTypesCommand({ DryRun: true }), { abortSignal })
    } catch (error) {
      if (classifyAwsFailure(error).class !== 'dry-run-succeeded') throw error
    }
  }

  readonly describeInstanceTypes: Ec2Api['describeInstanceTypes'] = async (abortSignal) => {
    const { paginateDescribeInstanceTypes } = await this.#sdk()
    const Filters = [
      ec2Filter('supported-virtualization-type', 'hvm'),
      ec2Filter('processor-info.supported-architecture', 'x86_64', 'arm64'),
    ]
    const pages = paginateDescribeInstanceTypes(
      { client: await this.#client(), pageSize: PAGE.types },
      { Filters },
      { abortSignal },
    )
    return gather(pages, ({ InstanceTypes }) => InstanceTypes?.map(lean))
  }

  readonly describeInstanceTypeOfferings: Ec2Api['describeInstanceTypeOfferings'] = async (abortSignal) => {
    const { paginateDescribeInstanceTypeOfferings } = await this.#sdk()
    const pages = paginateDescribeInstanceTypeOfferings(
      { client: await this.#client(), pageSize: PAGE.large },
      { LocationType: 'availability-zone' },
      { abortSignal },
    )
    return gather(pages, ({ InstanceTypeOfferings }) => InstanceTypeOfferings)
  }

  readonly describeImages: Ec2Api['describeImages'] = async ({ filters, owners }, abortSignal) => {
    const { paginateDescribeImages } = await this.#sdk()
    const pages = paginateDescribeImages(
      { client: await this.#client(), pageSize: PAGE.large },
      {
        Filters: mutable(filters),
        IncludeDeprecated: true,
        ...(owners === undefined ? {} : { Owners: [...owners] }),
      },
      { abortSignal },
    )
    return gather(pages, ({ Images }) => Images)
  }

  readonly describeSubnets: Ec2Api['describeSubnets'] = async (filters, abortSignal) => {
    const { paginateDescribeSubnets } = await this.#sdk()
    const pages = paginateDescribeSubnets(
      { client: await this.#client(), pageSize: PAGE.network },
      { Filters: mutable(filters) },
      { abortSignal },
    )
    return gather(pages, ({ Subnets }) => Subnets)
  }

  readonly describeSecurityGroups: Ec2Api['describeSecurityGroups'] = async (filters, abortSignal) => {
    const { paginateDescribeSecurityGroups } = await this.#sdk()
    const pages = paginateDescribeSecurityGroups(
      { client: await this.#client(), pageSize: PAGE.network },
      { Filters: mutable(filters) },
      { abortSignal },
    )
    return gather(pages, ({ SecurityGroups }) => SecurityGroups)
  }

  readonly describeLaunchTemplates: Ec2Api['describeLaunchTemplates'] = async (query, abortSignal) => {
    const { paginateDescribeLaunchTemplates } = await this.#sdk()
    const pages = paginateDescribeLaunchTemplates(
      // EC2 rejects requests that contain both names and a page size.
      'names' in query ? { client: await this.#client() } : { client: await this.#client(), pageSize: PAGE.templates },
      'names' in query ? { LaunchTemplateNames: [...query.names] } : { Filters: mutable(query.filters) },
      { abortSignal },
    )
    return gather(pages, ({ LaunchTemplates }) => LaunchTemplates)
  }

  readonly createLaunchTemplate: Ec2Api['createLaunchTemplate'] = async (input, abortSignal) => {
    const { CreateLaunchTemplateCommand } = await this.#sdk()
    const { LaunchTemplate } = await (await this.#client()).send(new CreateLaunchTemplateCommand(input), {
      abortSignal,
    })
    return LaunchTemplate ?? {}
  }

  readonly deleteLaunchTemplate: Ec2Api['deleteLaunchTemplate'] = async (template, abortSignal) => {
    const { DeleteLaunchTemplateCommand } = await this.#sdk()
    const input = 'id' in template ? { LaunchTemplateId: template.id } : { LaunchTemplateName: template.name }
    await (await this.#client()).send(new DeleteLaunchTemplateCommand(input), { abortSignal })
  }

  readonly createFleet: Ec2Api['createFleet'] = async (input, abortSignal) => {
    const { CreateFleetCommand } = await this.#sdk()
    const sender = input.DryRun === true ? await this.#once() : await this.#client()
    return sender.send(new CreateFleetCommand(input), { abortSignal })
  }

  readonly tryRunInstances: Ec2Api['tryRunInstances'] = async (input, abortSignal) => {
    const { RunInstancesCommand } = await this.#sdk()
    await (await this.#once()).send(new RunInstancesCommand({ ...input, DryRun: true }), { abortSignal })
  }

  readonly describeInstances: Ec2Api['describeInstances'] = async ({ ids, filters }, abortSignal) => {
    const { paginateDescribeInstances } = await this.#sdk()
    const pages = paginateDescribeInstances(
      // EC2 rejects requests that contain both ids and a page size.
      ids === undefined ? { client: await this.#client(), pageSize: PAGE.large } : { client: await this.#client() },
      { Filters: mutable(filters), ...(ids === undefined ? {} : { InstanceIds: [...ids] }) },
      { abortSignal },
    )
    return gather(pages, ({ Reservations }) => Reservations?.flatMap(({ Instances }) => Instances ?? []))
  }

  readonly describeInstanceStatus: Ec2Api['describeInstanceStatus'] = async (filters, abortSignal) => {
    const { paginateDescribeInstanceStatus } = await this.#sdk()
    const pages = paginateDescribeInstanceStatus(
      { client: await this.#client(), pageSize: PAGE.large },
      { Filters: mutable(filters) },
      { abortSignal },
    )
    return gather(pages, ({ InstanceStatuses }) => InstanceStatuses)
  }

  readonly terminateInstances: Ec2Api['terminateInstances'] = async (ids, abortSignal) => {
    const { TerminateInstancesCommand } = await this.#sdk()
    const response = await (await this.#client()).send(new TerminateInstancesCommand({ InstanceIds: [...ids] }), {
      abortSignal,
    })
    return response.TerminatingInstances ?? []
  }

  readonly createTags: Ec2Api['createTags'] = async (ids, tags, abortSignal) => {
    const { CreateTagsCommand } = await this.#sdk()
    await (await this.#client()).send(new CreateTagsCommand({ Resources: [...ids], Tags: [...tags] }), { abortSignal })
  }

  readonly describeSpotPriceHistory: Ec2Api['describeSpotPriceHistory'] = async (since, abortSignal) => {
    const { paginateDescribeSpotPriceHistory } = await this.#sdk()
    const pages = paginateDescribeSpotPriceHistory(
      { client: await this.#client(), pageSize: PAGE.spot },
      { ProductDescriptions: ['Linux/UNIX', 'Linux/UNIX (Amazon VPC)'], StartTime: since },
      { abortSignal },
    )
    return gather(pages, ({ SpotPriceHistory }) => SpotPriceHistory)
  }

  readonly describeCapacityReservations: Ec2Api['describeCapacityReservations'] = async (query, abortSignal) => {
    const { paginateDescribeCapacityReservations } = await this.#sdk()
    const active = ec2Filter('state', 'active')
    const pages = paginateDescribeCapacityReservations(
      'id' in query ? { client: await this.#client() } : { client: await this.#client(), pageSize: PAGE.large },
      'id' in query
        ? { CapacityReservationIds: [query.id], Filters: [active] }
        : { Filters: [active, ...query.filters] },
      { abortSignal },
    )
    return gather(pages, ({ CapacityReservations }) => CapacityReservations)
  }

  readonly describeReservedInstances: Ec2Api['describeReservedInstances'] = async (abortSignal) => {
    const { DescribeReservedInstancesCommand } = await this.#sdk()
    const command = new DescribeReservedInstancesCommand({ Filters: [ec2Filter('state', 'active')] })
    return (await (await this.#client()).send(command, { abortSignal })).ReservedInstances ?? []
  }

  readonly describePlacementGroups: Ec2Api['describePlacementGroups'] = async (query, abortSignal) => {
    const { DescribePlacementGroupsCommand } = await this.#sdk()
    const { PlacementGroups } = await (await this.#client()).send(
      new DescribePlacementGroupsCommand({
        Filters: [ec2Filter('state', 'available')],
        ...('id' in query ? { GroupIds: [query.id] } : { GroupNames: [query.name] }),
      }),
      { abortSignal },
    )
    return PlacementGroups ?? []
  }
}
