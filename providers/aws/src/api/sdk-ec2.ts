import type { Filter } from '@aws-sdk/client-ec2'
import { awsFailureOf } from '../failures/aws-failure.ts'
import { type Ec2Api, filterOf } from './aws-api.ts'
import type { Ec2InstanceType } from './ec2-instance-type.ts'
import { clientConfig, lazily, type SdkOptions, type sdkMeter } from './sdk-clients.ts'

/** Page sizes (`docs/spec/aws-sdk.md#calls-and-errors`). */
const PAGE = { types: 100, large: 1000, templates: 200, network: 500, spot: 2000 } as const

/** Only what decisions are made from: the whole answer for 1,400 types takes tens of megabytes. */
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

/** All pages, one list. */
const gather = async <Page, T>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => readonly T[] | undefined,
): Promise<readonly T[]> => {
  const all: T[] = []
  for await (const page of pages) for (const item of itemsOf(page) ?? []) all.push(item)
  return all
}

const mutable = (filters: readonly Filter[]): Filter[] => [...filters]

/** EC2 through the SDK, which is loaded with the first call. */
export const sdkEc2 = (options: SdkOptions, meter: ReturnType<typeof sdkMeter>): Ec2Api => {
  const sdk = lazily(() => import('./clients/ec2.ts'))
  const client = lazily(async () => meter(new (await sdk()).EC2Client(clientConfig(options)), 'EC2'))
  // Retries are set for a client, not for a call; asking for permission is not repeated.
  const once = lazily(async () => meter(new (await sdk()).EC2Client(clientConfig(options, { maxAttempts: 1 })), 'EC2'))

  return {
    probe: async (abortSignal) => {
      const { DescribeInstanceTypesCommand } = await sdk()
      try {
        await (await client()).send(new DescribeInstanceTypesCommand({ DryRun: true }), { abortSignal })
      } catch (error) {
        if (awsFailureOf(error).class !== 'dry-run-succeeded') throw error
      }
    },
    describeInstanceTypes: async (abortSignal) => {
      const { paginateDescribeInstanceTypes } = await sdk()
      const Filters = [
        filterOf('supported-virtualization-type', 'hvm'),
        filterOf('processor-info.supported-architecture', 'x86_64', 'arm64'),
      ]
      const pages = paginateDescribeInstanceTypes(
        { client: await client(), pageSize: PAGE.types },
        { Filters },
        { abortSignal },
      )
      return gather(pages, ({ InstanceTypes }) => InstanceTypes?.map(lean))
    },
    describeInstanceTypeOfferings: async (abortSignal) => {
      const { paginateDescribeInstanceTypeOfferings } = await sdk()
      const pages = paginateDescribeInstanceTypeOfferings(
        { client: await client(), pageSize: PAGE.large },
        { LocationType: 'availability-zone' },
        { abortSignal },
      )
      return gather(pages, ({ InstanceTypeOfferings }) => InstanceTypeOfferings)
    },
    describeImages: async ({ filters, owners }, abortSignal) => {
      const { paginateDescribeImages } = await sdk()
      const pages = paginateDescribeImages(
        { client: await client(), pageSize: PAGE.large },
        {
          Filters: mutable(filters),
          IncludeDeprecated: true,
          ...(owners === undefined ? {} : { Owners: [...owners] }),
        },
        { abortSignal },
      )
      return gather(pages, ({ Images }) => Images)
    },
    describeSubnets: async (filters, abortSignal) => {
      const { paginateDescribeSubnets } = await sdk()
      const pages = paginateDescribeSubnets(
        { client: await client(), pageSize: PAGE.network },
        { Filters: mutable(filters) },
        { abortSignal },
      )
      return gather(pages, ({ Subnets }) => Subnets)
    },
    describeSecurityGroups: async (filters, abortSignal) => {
      const { paginateDescribeSecurityGroups } = await sdk()
      const pages = paginateDescribeSecurityGroups(
        { client: await client(), pageSize: PAGE.network },
        { Filters: mutable(filters) },
        { abortSignal },
      )
      return gather(pages, ({ SecurityGroups }) => SecurityGroups)
    },
    describeLaunchTemplates: async (query, abortSignal) => {
      const { paginateDescribeLaunchTemplates } = await sdk()
      const pages = paginateDescribeLaunchTemplates(
        // A page size is not taken together with names.
        'names' in query ? { client: await client() } : { client: await client(), pageSize: PAGE.templates },
        'names' in query ? { LaunchTemplateNames: [...query.names] } : { Filters: mutable(query.filters) },
        { abortSignal },
      )
      return gather(pages, ({ LaunchTemplates }) => LaunchTemplates)
    },
    createLaunchTemplate: async (input, abortSignal) => {
      const { CreateLaunchTemplateCommand } = await sdk()
      const { LaunchTemplate } = await (await client()).send(new CreateLaunchTemplateCommand(input), { abortSignal })
      return LaunchTemplate ?? {}
    },
    deleteLaunchTemplate: async (template, abortSignal) => {
      const { DeleteLaunchTemplateCommand } = await sdk()
      const input = 'id' in template ? { LaunchTemplateId: template.id } : { LaunchTemplateName: template.name }
      await (await client()).send(new DeleteLaunchTemplateCommand(input), { abortSignal })
    },
    createFleet: async (input, abortSignal) => {
      const { CreateFleetCommand } = await sdk()
      const sender = input.DryRun === true ? await once() : await client()
      return sender.send(new CreateFleetCommand(input), { abortSignal })
    },
    tryRunInstances: async (input, abortSignal) => {
      const { RunInstancesCommand } = await sdk()
      await (await once()).send(new RunInstancesCommand({ ...input, DryRun: true }), { abortSignal })
    },
    describeInstances: async ({ ids, filters }, abortSignal) => {
      const { paginateDescribeInstances } = await sdk()
      const pages = paginateDescribeInstances(
        // Neither is a page size taken together with ids.
        ids === undefined ? { client: await client(), pageSize: PAGE.large } : { client: await client() },
        { Filters: mutable(filters), ...(ids === undefined ? {} : { InstanceIds: [...ids] }) },
        { abortSignal },
      )
      return gather(pages, ({ Reservations }) => Reservations?.flatMap(({ Instances }) => Instances ?? []))
    },
    describeInstanceStatus: async (filters, abortSignal) => {
      const { paginateDescribeInstanceStatus } = await sdk()
      const pages = paginateDescribeInstanceStatus(
        { client: await client(), pageSize: PAGE.large },
        { Filters: mutable(filters) },
        { abortSignal },
      )
      return gather(pages, ({ InstanceStatuses }) => InstanceStatuses)
    },
    terminateInstances: async (ids, abortSignal) => {
      const { TerminateInstancesCommand } = await sdk()
      const answer = await (await client()).send(new TerminateInstancesCommand({ InstanceIds: [...ids] }), {
        abortSignal,
      })
      return answer.TerminatingInstances ?? []
    },
    createTags: async (ids, tags, abortSignal) => {
      const { CreateTagsCommand } = await sdk()
      await (await client()).send(new CreateTagsCommand({ Resources: [...ids], Tags: [...tags] }), { abortSignal })
    },
    describeSpotPriceHistory: async (since, abortSignal) => {
      const { paginateDescribeSpotPriceHistory } = await sdk()
      const pages = paginateDescribeSpotPriceHistory(
        { client: await client(), pageSize: PAGE.spot },
        { ProductDescriptions: ['Linux/UNIX', 'Linux/UNIX (Amazon VPC)'], StartTime: since },
        { abortSignal },
      )
      return gather(pages, ({ SpotPriceHistory }) => SpotPriceHistory)
    },
    describeCapacityReservations: async (query, abortSignal) => {
      const { paginateDescribeCapacityReservations } = await sdk()
      const active = filterOf('state', 'active')
      const pages = paginateDescribeCapacityReservations(
        'id' in query ? { client: await client() } : { client: await client(), pageSize: PAGE.large },
        'id' in query
          ? { CapacityReservationIds: [query.id], Filters: [active] }
          : { Filters: [active, ...query.filters] },
        { abortSignal },
      )
      return gather(pages, ({ CapacityReservations }) => CapacityReservations)
    },
    describePlacementGroups: async (query, abortSignal) => {
      const { DescribePlacementGroupsCommand } = await sdk()
      const { PlacementGroups } = await (await client()).send(
        new DescribePlacementGroupsCommand({
          Filters: [filterOf('state', 'available')],
          ...('id' in query ? { GroupIds: [query.id] } : { GroupNames: [query.name] }),
        }),
        { abortSignal },
      )
      return PlacementGroups ?? []
    },
  }
}
