import type { Ec2InstanceType, Ec2NetworkCard } from '../api/ec2-instance-type.ts'

/** An instance type as EC2 described it once, and the zones that had it. */
export interface OfflineType {
  readonly type: Ec2InstanceType
  readonly zones: readonly string[]
}

/** The region of the zones. */
export const OFFLINE_REGION = 'us-east-1'

/** What the table leaves out, because most types have it. */
export const usual = {
  buy: 'on-demand,spot',
  hypervisor: 'nitro',
  ena: 'required',
  optimized: 'default',
  group: 'cluster,partition,spread',
  enclaves: 'supported',
} as const

/** The interfaces of all cards. */
export const sumOf = (cards: readonly Ec2NetworkCard[]): number =>
  cards.reduce((sum, { MaximumNetworkInterfaces: most = 0 }) => sum + most, 0)

const listOf = (text: string | undefined): readonly string[] => (text === undefined ? [] : text.split(','))
const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))
const partsOf = (text: string): readonly string[] => text.split('/').map((part) => part.replaceAll('_', ' '))

/** One line of the table: a name, and `key=value` for each fact that there is. */
const readLine = (line: string): OfflineType => {
  const [name = '', ...pairs] = line.split(' ')
  const facts = new Map(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const),
  )
  const text = (key: string): string | undefined => facts.get(key)
  const number = (key: string): number | undefined => numberOf(facts.get(key))
  const given = <T extends object>(key: string, make: (value: string) => T): T | Record<never, never> => {
    const value = facts.get(key)
    return value === undefined ? {} : make(value)
  }
  const hypervisor = text('hypervisor') ?? usual.hypervisor
  const cards = listOf(text('cards')).map((most, NetworkCardIndex) => ({
    NetworkCardIndex,
    MaximumNetworkInterfaces: Number(most),
  }))
  return {
    type: {
      InstanceType: name,
      SupportedUsageClasses: listOf(text('buy') ?? usual.buy),
      BareMetal: facts.has('metal'),
      ...(hypervisor === 'none' ? {} : { Hypervisor: hypervisor }),
      ProcessorInfo: {
        SupportedArchitectures: listOf(text('arch')),
        ...given('ghz', (value) => ({ SustainedClockSpeedInGhz: Number(value) })),
        ...given('can', (value) => ({ SupportedFeatures: listOf(value) })),
        ...given('by', (Manufacturer) => ({ Manufacturer })),
      },
      VCpuInfo: { DefaultVCpus: number('cpu') },
      MemoryInfo: { SizeInMiB: number('mib') },
      ...given('store', (value) => {
        const [size, NvmeSupport] = value.split('/')
        return { InstanceStorageInfo: { TotalSizeInGB: Number(size), NvmeSupport } }
      }),
      EbsInfo: {
        EbsOptimizedSupport: text('optimized') ?? usual.optimized,
        ...given('ebs', (value) => ({ EbsOptimizedInfo: { MaximumBandwidthInMbps: Number(value) } })),
      },
      NetworkInfo: {
        DefaultNetworkCardIndex: 0,
        NetworkCards: cards,
        MaximumNetworkInterfaces: number('interfaces') ?? sumOf(cards),
        Ipv4AddressesPerInterface: number('ipv4'),
        EnaSupport: text('ena') ?? usual.ena,
        ...given('efa', (value) => ({ EfaInfo: { MaximumEfaInterfaces: Number(value) } })),
        EncryptionInTransitSupported: facts.has('encrypts'),
      },
      ...given('gpu', (value) => ({
        GpuInfo: {
          Gpus: listOf(value).map((each) => {
            const [Manufacturer, Name, count, mebibytes] = partsOf(each)
            return { Manufacturer, Name, Count: numberOf(count), MemoryInfo: { SizeInMiB: numberOf(mebibytes) } }
          }),
        },
      })),
      ...given('neuron', (value) => ({
        NeuronInfo: {
          NeuronDevices: listOf(value).map((each) => {
            const [Name, count, cores] = partsOf(each)
            return { Name, Count: numberOf(count), CoreInfo: { Count: numberOf(cores) } }
          }),
        },
      })),
      ...given('accelerator', (value) => ({
        InferenceAcceleratorInfo: {
          Accelerators: listOf(value).map((each) => {
            const [Manufacturer, Name, count] = partsOf(each)
            return { Manufacturer, Name, Count: numberOf(count) }
          }),
        },
      })),
      PlacementGroupInfo: { SupportedStrategies: listOf(text('group') ?? usual.group) },
      NitroEnclavesSupport: text('enclaves') ?? usual.enclaves,
    },
    zones: [...(text('zones') ?? '')].map((letter) => `${OFFLINE_REGION}${letter}`),
  }
}

/** The types of a table as `scripts/aws-instance-types.ts` writes it. */
export const readOfflineTypes = function* (table: string): Iterable<OfflineType> {
  for (const line of table.trim().split('\n')) yield readLine(line)
}
