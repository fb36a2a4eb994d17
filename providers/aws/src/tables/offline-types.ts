import type { Ec2InstanceType, Ec2NetworkCard } from '../api/ec2-instance-type.ts'

/** Values that the table leaves out because most instance types have them. */
export const usual = {
  buy: 'on-demand,spot',
  hypervisor: 'nitro',
  ena: 'required',
  optimized: 'default',
  group: 'cluster,partition,spread',
  enclaves: 'supported',
} as const

/** Returns the number of interfaces of all cards together. */
export const sumCards = (cards: readonly Ec2NetworkCard[]): number =>
  cards.reduce((sum, { MaximumNetworkInterfaces: most = 0 }) => sum + most, 0)

const splitList = (text: string | undefined): readonly string[] => (text === undefined ? [] : text.split(','))
const parseNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))
const splitParts = (text: string): readonly string[] => text.split('/').map((part) => part.replaceAll('_', ' '))

/** The facts about one instance type, by key. */
class Facts {
  readonly #facts: ReadonlyMap<string, string>

  constructor(pairs: readonly string[]) {
    this.#facts = new Map(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const),
    )
  }

  has(key: string): boolean {
    return this.#facts.has(key)
  }

  text(key: string): string | undefined {
    return this.#facts.get(key)
  }

  number(key: string): number | undefined {
    return parseNumber(this.#facts.get(key))
  }

  /** Returns the result of `make` for the fact, or an empty object if the fact is absent. */
  given<T extends object>(key: string, make: (value: string) => T): T | Record<never, never> {
    const value = this.#facts.get(key)
    return value === undefined ? {} : make(value)
  }
}

const processorFields = (facts: Facts) => ({
  SupportedArchitectures: splitList(facts.text('arch')),
  ...facts.given('ghz', (value) => ({ SustainedClockSpeedInGhz: Number(value) })),
  ...facts.given('can', (value) => ({ SupportedFeatures: splitList(value) })),
  ...facts.given('by', (Manufacturer) => ({ Manufacturer })),
})

const networkFields = (facts: Facts) => {
  const cards = splitList(facts.text('cards')).map((most, NetworkCardIndex) => ({
    NetworkCardIndex,
    MaximumNetworkInterfaces: Number(most),
  }))
  return {
    DefaultNetworkCardIndex: 0,
    NetworkCards: cards,
    MaximumNetworkInterfaces: facts.number('interfaces') ?? sumCards(cards),
    Ipv4AddressesPerInterface: facts.number('ipv4'),
    EnaSupport: facts.text('ena') ?? usual.ena,
    ...facts.given('efa', (value) => ({ EfaInfo: { MaximumEfaInterfaces: Number(value) } })),
    EncryptionInTransitSupported: facts.has('encrypts'),
  }
}

const acceleratorFields = (facts: Facts) => ({
  ...facts.given('gpu', (value) => ({
    GpuInfo: {
      Gpus: splitList(value).map((each) => {
        const [Manufacturer, Name, count, mebibytes] = splitParts(each)
        return { Manufacturer, Name, Count: parseNumber(count), MemoryInfo: { SizeInMiB: parseNumber(mebibytes) } }
      }),
    },
  })),
  ...facts.given('neuron', (value) => ({
    NeuronInfo: {
      NeuronDevices: splitList(value).map((each) => {
        const [Name, count, cores] = splitParts(each)
        return { Name, Count: parseNumber(count), CoreInfo: { Count: parseNumber(cores) } }
      }),
    },
  })),
  ...facts.given('accelerator', (value) => ({
    InferenceAcceleratorInfo: {
      Accelerators: splitList(value).map((each) => {
        const [Manufacturer, Name, count] = splitParts(each)
        return { Manufacturer, Name, Count: parseNumber(count) }
      }),
    },
  })),
})

/** Parses one line of the table: a name, and `key=value` for each fact. */
const readLine = (line: string): Ec2InstanceType => {
  const [name = '', ...pairs] = line.split(' ')
  const facts = new Facts(pairs)
  const hypervisor = facts.text('hypervisor') ?? usual.hypervisor
  return {
    InstanceType: name,
    SupportedUsageClasses: splitList(facts.text('buy') ?? usual.buy),
    BareMetal: facts.has('metal'),
    ...(hypervisor === 'none' ? {} : { Hypervisor: hypervisor }),
    ProcessorInfo: processorFields(facts),
    VCpuInfo: { DefaultVCpus: facts.number('cpu') },
    MemoryInfo: { SizeInMiB: facts.number('mib') },
    ...facts.given('store', (value) => {
      const [size, NvmeSupport] = value.split('/')
      return { InstanceStorageInfo: { TotalSizeInGB: Number(size), NvmeSupport } }
    }),
    EbsInfo: {
      EbsOptimizedSupport: facts.text('optimized') ?? usual.optimized,
      ...facts.given('ebs', (value) => ({ EbsOptimizedInfo: { MaximumBandwidthInMbps: Number(value) } })),
    },
    NetworkInfo: networkFields(facts),
    ...acceleratorFields(facts),
    PlacementGroupInfo: { SupportedStrategies: splitList(facts.text('group') ?? usual.group) },
    NitroEnclavesSupport: facts.text('enclaves') ?? usual.enclaves,
  }
}

/** Parses the types of a table that `tables/import-emulator.ts` wrote. They are as EC2 described them when the table was written. */
export const readOfflineTypes = function* (table: string): Iterable<Ec2InstanceType> {
  for (const line of table.trim().split('\n')) yield readLine(line)
}
