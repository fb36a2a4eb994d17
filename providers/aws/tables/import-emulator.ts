import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Ec2InstanceType } from '../src/api/ec2-instance-type.ts'
import { readOfflineTypes, sumCards, usual } from '../src/tables/offline-types.ts'
import { type RegionZones, readRegionOffers, zoneDigits } from '../src/tables/region-offers.ts'
import { pythonWithMoto } from '../tests/moto.ts'

/** An instance type in moto's data: the response of EC2. */
type Raw = Ec2InstanceType & { readonly InstanceType: string; readonly SupportedVirtualizationTypes: readonly string[] }

const networkOf = (network: Raw['NetworkInfo']): NonNullable<Ec2InstanceType['NetworkInfo']> => ({
  DefaultNetworkCardIndex: network?.DefaultNetworkCardIndex,
  NetworkCards: (network?.NetworkCards ?? []).map(({ NetworkCardIndex, MaximumNetworkInterfaces }) => ({
    NetworkCardIndex,
    MaximumNetworkInterfaces,
  })),
  MaximumNetworkInterfaces: network?.MaximumNetworkInterfaces,
  Ipv4AddressesPerInterface: network?.Ipv4AddressesPerInterface,
  EnaSupport: network?.EnaSupport,
  ...(network?.EfaInfo === undefined
    ? {}
    : { EfaInfo: { MaximumEfaInterfaces: network.EfaInfo.MaximumEfaInterfaces } }),
  EncryptionInTransitSupported: network?.EncryptionInTransitSupported,
})

/** Returns GPUs, Neuron devices and other accelerators. Leaves out the fields that the instance type does not have. */
const acceleratorsOf = (raw: Raw): Pick<Ec2InstanceType, 'GpuInfo' | 'NeuronInfo' | 'InferenceAcceleratorInfo'> => ({
  ...(raw.GpuInfo === undefined
    ? {}
    : {
        GpuInfo: {
          Gpus: (raw.GpuInfo.Gpus ?? []).map(({ Manufacturer, Name, Count, MemoryInfo }) => ({
            Manufacturer,
            Name,
            Count,
            MemoryInfo: { SizeInMiB: MemoryInfo?.SizeInMiB },
          })),
        },
      }),
  ...(raw.NeuronInfo === undefined
    ? {}
    : {
        NeuronInfo: {
          NeuronDevices: (raw.NeuronInfo.NeuronDevices ?? []).map(({ Name, Count, CoreInfo }) => ({
            Name,
            Count,
            CoreInfo: { Count: CoreInfo?.Count },
          })),
        },
      }),
  ...(raw.InferenceAcceleratorInfo === undefined
    ? {}
    : {
        InferenceAcceleratorInfo: {
          Accelerators: (raw.InferenceAcceleratorInfo.Accelerators ?? []).map(({ Manufacturer, Name, Count }) => ({
            Manufacturer,
            Name,
            Count,
          })),
        },
      }),
})

/** Returns only the fields that decisions use, in the order in which `readOfflineTypes` returns them. Leaves out absent fields. */
const pruned = (raw: Raw): Ec2InstanceType => {
  const { ProcessorInfo: cpu, InstanceStorageInfo: store, EbsInfo: ebs, NetworkInfo: network } = raw
  const features = cpu?.SupportedFeatures ?? []
  return {
    InstanceType: raw.InstanceType,
    SupportedUsageClasses: [...(raw.SupportedUsageClasses ?? [])].sort(),
    BareMetal: raw.BareMetal ?? false,
    ...(raw.Hypervisor === undefined ? {} : { Hypervisor: raw.Hypervisor }),
    ProcessorInfo: {
      SupportedArchitectures: (cpu?.SupportedArchitectures ?? []).filter((each) => each !== 'i386'),
      ...(cpu?.SustainedClockSpeedInGhz ? { SustainedClockSpeedInGhz: cpu.SustainedClockSpeedInGhz } : {}),
      ...(features.length === 0 ? {} : { SupportedFeatures: features }),
      ...(cpu?.Manufacturer === undefined ? {} : { Manufacturer: cpu.Manufacturer }),
    },
    VCpuInfo: { DefaultVCpus: raw.VCpuInfo?.DefaultVCpus },
    MemoryInfo: { SizeInMiB: raw.MemoryInfo?.SizeInMiB },
    ...(store === undefined
      ? {}
      : { InstanceStorageInfo: { TotalSizeInGB: store.TotalSizeInGB, NvmeSupport: store.NvmeSupport } }),
    EbsInfo: {
      EbsOptimizedSupport: ebs?.EbsOptimizedSupport,
      ...(ebs?.EbsOptimizedInfo === undefined
        ? {}
        : { EbsOptimizedInfo: { MaximumBandwidthInMbps: ebs.EbsOptimizedInfo.MaximumBandwidthInMbps } }),
    },
    NetworkInfo: networkOf(network),
    ...acceleratorsOf(raw),
    PlacementGroupInfo: { SupportedStrategies: raw.PlacementGroupInfo?.SupportedStrategies ?? [] },
    NitroEnclavesSupport: raw.NitroEnclavesSupport,
  }
}

/** Returns the value, or undefined if it equals the usual value, which the table leaves out. */
const unless = (usual: string | number, value: string | number | undefined): string | number | undefined =>
  value === usual ? undefined : value

/**
 * Returns the line of an instance type: its name, and `key=value` for each fact that is present (see `readOfflineTypes`). Spaces in values
 * become `_`.
 */
const typeLine = (type: Ec2InstanceType): string => {
  const { ProcessorInfo: cpu, InstanceStorageInfo: store, EbsInfo: ebs, NetworkInfo: network } = type
  const cards = network?.NetworkCards ?? []
  const pairs: readonly (readonly [string, string | number | undefined])[] = [
    ['arch', cpu?.SupportedArchitectures?.join(',')],
    ['cpu', type.VCpuInfo?.DefaultVCpus],
    ['mib', type.MemoryInfo?.SizeInMiB],
    ['ghz', cpu?.SustainedClockSpeedInGhz],
    ['by', cpu?.Manufacturer],
    ['can', cpu?.SupportedFeatures?.join(',')],
    ['buy', unless(usual.buy, type.SupportedUsageClasses?.join(','))],
    ['hypervisor', unless(usual.hypervisor, type.Hypervisor ?? 'none')],
    ['metal', type.BareMetal === true ? 'yes' : undefined],
    ['cards', cards.map(({ MaximumNetworkInterfaces: most }) => most).join(',')],
    ['interfaces', unless(sumCards(cards), network?.MaximumNetworkInterfaces)],
    ['ipv4', network?.Ipv4AddressesPerInterface],
    ['ena', unless(usual.ena, network?.EnaSupport)],
    ['efa', network?.EfaInfo?.MaximumEfaInterfaces],
    ['encrypts', network?.EncryptionInTransitSupported === true ? 'yes' : undefined],
    ['optimized', unless(usual.optimized, ebs?.EbsOptimizedSupport)],
    ['ebs', ebs?.EbsOptimizedInfo?.MaximumBandwidthInMbps],
    ['store', store === undefined ? undefined : `${store.TotalSizeInGB}/${store.NvmeSupport}`],
    [
      'gpu',
      type.GpuInfo?.Gpus?.map(
        (each) => `${each.Manufacturer}/${each.Name}/${each.Count}/${each.MemoryInfo?.SizeInMiB}`,
      ).join(','),
    ],
    [
      'neuron',
      type.NeuronInfo?.NeuronDevices?.map((each) => `${each.Name}/${each.Count}/${each.CoreInfo?.Count}`).join(','),
    ],
    [
      'accelerator',
      type.InferenceAcceleratorInfo?.Accelerators?.map(
        (each) => `${each.Manufacturer}/${each.Name}/${each.Count}`,
      ).join(','),
    ],
    ['group', unless(usual.group, type.PlacementGroupInfo?.SupportedStrategies?.join(','))],
    ['enclaves', unless(usual.enclaves, type.NitroEnclavesSupport)],
  ]
  const said = pairs.filter(([, value]) => value !== undefined && value !== '')
  return [type.InstanceType, ...said.map(([key, value]) => `${key}=${String(value).replaceAll(' ', '_')}`)].join(' ')
}

/** Returns the path of `moto/ec2/resources` in the moto installation that the tests use. */
export const emulatorResources = (): string => {
  const python = pythonWithMoto()
  const script = 'import moto, os; print(os.path.join(os.path.dirname(moto.__file__), "ec2", "resources"))'
  return execFileSync(python, ['-c', script], { encoding: 'utf8' }).trim()
}

/**
 * Returns which zones of a region offer each instance type, in the order of the types. @throws Error unless each zone name is the region's
 * name and one letter
 */
const regionOffers = (
  region: string,
  offered: readonly { readonly InstanceType: string; readonly Location: string }[],
  types: readonly Ec2InstanceType[],
): RegionZones => {
  const wrong = offered.find(({ Location }) => !Location.startsWith(region) || Location.length !== region.length + 1)
  if (wrong !== undefined) throw new Error(`the table does not hold zones such as ${wrong.Location} of ${region}`)
  const zonesOf = Map.groupBy(offered, ({ InstanceType }) => InstanceType)
  const zones = [...new Set(offered.map(({ Location }) => Location))].sort()
  return {
    zones,
    offeredIn: types.map(({ InstanceType = '' }) =>
      (zonesOf.get(InstanceType) ?? []).map(({ Location }) => Location).sort(),
    ),
  }
}

/**
 * Returns tables made from the responses of DescribeInstanceTypes and DescribeInstanceTypeOfferings in moto (Apache-2.0), for plans and
 * rehearsals without AWS (`providers/aws/docs/spec/aws-emulation.md#instance-types-offline`). It reads each table again and compares it
 * with the input.
 * @throws Error if a table cannot represent the input
 */
export const tablesOfEmulator = (directory: string): Readonly<Record<string, string>> => {
  const read = (...path: readonly string[]): unknown =>
    JSON.parse(gunzipSync(readFileSync(join(directory, ...path))).toString())
  const raw = Object.values(read('instance_types.json.gz') as Readonly<Record<string, Raw>>)
  const types = raw
    // The same filter as in the provider: no Mac instances, and no instance types that support only paravirtual images.
    .filter(({ SupportedVirtualizationTypes: kinds }) => kinds.includes('hvm'))
    .filter(({ ProcessorInfo: cpu }) =>
      cpu?.SupportedArchitectures?.some((each) => each === 'x86_64' || each === 'arm64'),
    )
    .toSorted((a, b) => (a.InstanceType < b.InstanceType ? -1 : 1))
    .map(pruned)
  const table = types.map(typeLine).join('\n')
  const again = [...readOfflineTypes(table)]
  const wrong = types.find((each, index) => !isDeepStrictEqual(again[index], each))
  if (wrong !== undefined) throw new Error(`the table does not hold all of ${JSON.stringify(wrong)}`)
  const offers = new Map(
    readdirSync(join(directory, 'instance_type_offerings', 'availability-zone'))
      .sort()
      .map((file) => {
        const region = file.replace('.json.gz', '')
        const offered = read('instance_type_offerings', 'availability-zone', file) as Parameters<typeof regionOffers>[1]
        return [region, regionOffers(region, offered, types)] as const
      }),
  )
  const marks = [...offers].map(([region, { zones, offeredIn }]) =>
    [
      region,
      zones.map((zone) => zone.slice(region.length)).join(''),
      offeredIn
        .map((each) => zoneDigits.charAt(each.reduce((sum, zone) => sum + 2 ** zones.indexOf(zone), 0)))
        .join(''),
    ].join(' '),
  )
  if (!isDeepStrictEqual(readRegionOffers(marks.join('\n')), offers))
    throw new Error('the table does not hold all offers')
  return { 'instance-types': table, 'region-offers': marks.join('\n') }
}
