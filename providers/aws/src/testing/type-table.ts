import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'

/** Facts about instance types as AWS publishes them, for tests. */
export interface TypeRow {
  readonly name: string
  readonly arch: 'x86_64' | 'arm64'
  readonly vcpus: number
  readonly mebibytes: number
  /** The number of interfaces of the default network card. */
  readonly interfaces: number
  readonly addresses: number
  /** In GB. */
  readonly store?: number
  readonly gpu?: readonly [manufacturer: string, name: string, count: number, mebibytes: number]
  readonly neuron?: readonly [name: string, devices: number, cores: number]
  readonly efas?: number
  readonly cards?: number
  readonly hypervisor?: 'xen' | 'none'
  readonly manufacturer?: string
}

const x86 = (
  name: string,
  vcpus: number,
  gibibytes: number,
  interfaces: number,
  addresses: number,
  rest: Partial<TypeRow> = {},
): TypeRow => ({
  name,
  arch: 'x86_64',
  vcpus,
  mebibytes: gibibytes * 1024,
  interfaces,
  addresses,
  ...rest,
})
const arm = (...args: Parameters<typeof x86>): TypeRow => ({ ...x86(...args), arch: 'arm64', manufacturer: 'AWS' })

export const typeRows: readonly TypeRow[] = [
  x86('t3.nano', 2, 0.5, 2, 2),
  x86('t3.micro', 2, 1, 2, 2),
  x86('t3.small', 2, 2, 3, 4),
  x86('t3.medium', 2, 4, 3, 6),
  x86('t3.large', 2, 8, 3, 12),
  x86('t3.2xlarge', 8, 32, 4, 15),
  arm('t4g.small', 2, 2, 3, 4),
  arm('t4g.medium', 2, 4, 3, 6),
  arm('t4g.xlarge', 4, 16, 4, 15),
  arm('a1.large', 2, 4, 3, 10),
  x86('m5.large', 2, 8, 3, 10),
  x86('m5.xlarge', 4, 16, 4, 15),
  x86('m5.4xlarge', 16, 64, 8, 30),
  x86('m5.12xlarge', 48, 192, 8, 30),
  x86('m5.24xlarge', 96, 384, 15, 50),
  x86('m5.metal', 96, 384, 15, 50, { hypervisor: 'none' }),
  x86('m5d.large', 2, 8, 3, 10, { store: 75 }),
  x86('m7i-flex.large', 2, 8, 3, 10),
  arm('m6g.large', 2, 8, 3, 10),
  arm('m6gd.16xlarge', 64, 256, 15, 50, { store: 3800 }),
  x86('c5.large', 2, 4, 3, 10),
  x86('c5.9xlarge', 36, 72, 8, 30),
  x86('c5d.4xlarge', 16, 32, 8, 30, { store: 400 }),
  x86('c6i.32xlarge', 128, 256, 15, 50, { efas: 1 }),
  arm('c7g.medium', 1, 2, 2, 4),
  arm('c7gn.16xlarge', 64, 128, 15, 50, { efas: 1 }),
  x86('r5.large', 2, 16, 3, 10),
  x86('r6id.24xlarge', 96, 768, 15, 50, { store: 5700 }),
  x86('x1e.32xlarge', 128, 3904, 8, 30, { store: 3840, hypervisor: 'xen' }),
  x86('u-6tb1.metal', 448, 6144, 5, 30, { hypervisor: 'none' }),
  x86('i3.large', 2, 15.25, 3, 10, { store: 475, hypervisor: 'xen' }),
  x86('i4i.xlarge', 4, 32, 4, 15, { store: 937 }),
  x86('p3.2xlarge', 8, 61, 4, 15, { gpu: ['NVIDIA', 'V100', 1, 16384], hypervisor: 'xen' }),
  x86('p3.16xlarge', 64, 488, 8, 30, { gpu: ['NVIDIA', 'V100', 8, 16384], hypervisor: 'xen' }),
  x86('p4d.24xlarge', 96, 1152, 15, 50, { gpu: ['NVIDIA', 'A100', 8, 40960], store: 8000, efas: 4, cards: 4 }),
  x86('g4dn.xlarge', 4, 16, 3, 10, { gpu: ['NVIDIA', 'T4', 1, 16384], store: 125 }),
  x86('g4ad.xlarge', 4, 16, 2, 4, { gpu: ['AMD', 'Radeon Pro V520', 1, 8192], store: 150, manufacturer: 'AMD' }),
  arm('g5g.xlarge', 4, 8, 4, 15, { gpu: ['NVIDIA', 'T4g', 1, 16384] }),
  x86('g6f.large', 2, 8, 2, 10, { gpu: ['NVIDIA', 'L4', 0, 2861], store: 100, manufacturer: 'AMD' }),
  x86('dl1.24xlarge', 96, 768, 15, 50, { gpu: ['Habana', 'Gaudi HL-205', 8, 32768], store: 4000, efas: 4, cards: 4 }),
  x86('inf1.6xlarge', 24, 48, 8, 30, { neuron: ['Inferentia', 4, 4] }),
  x86('inf2.48xlarge', 192, 768, 15, 50, { neuron: ['Inferentia2', 12, 2], manufacturer: 'AMD' }),
  x86('trn1.2xlarge', 8, 32, 4, 15, { neuron: ['Trainium', 1, 2], store: 474 }),
  x86('trn1.32xlarge', 128, 512, 5, 50, { neuron: ['Trainium', 16, 2], store: 7600, efas: 8, cards: 8 }),
  arm('hpc7g.16xlarge', 64, 128, 4, 50, { efas: 1 }),
]

/** Returns the DescribeInstanceTypes result for an instance type. */
export const ec2TypeOf = (machine: TypeRow): Ec2InstanceType => {
  const { gpu, neuron, store, efas = 0, cards = 1, hypervisor } = machine
  return {
    InstanceType: machine.name,
    SupportedUsageClasses: ['on-demand', 'spot'],
    BareMetal: hypervisor === 'none',
    ...(hypervisor === 'none' ? {} : { Hypervisor: hypervisor ?? 'nitro' }),
    ProcessorInfo: {
      SupportedArchitectures: [machine.arch],
      SustainedClockSpeedInGhz: 3.1,
      Manufacturer: machine.manufacturer ?? 'Intel',
    },
    VCpuInfo: { DefaultVCpus: machine.vcpus },
    MemoryInfo: { SizeInMiB: machine.mebibytes },
    ...(store === undefined ? {} : { InstanceStorageInfo: { TotalSizeInGB: store, NvmeSupport: 'required' } }),
    EbsInfo: { EbsOptimizedSupport: 'default', EbsOptimizedInfo: { MaximumBandwidthInMbps: 4750 } },
    NetworkInfo: {
      DefaultNetworkCardIndex: 0,
      // The other cards have more interfaces, but pods get addresses only from the default card.
      NetworkCards: Array.from({ length: cards }, (_, index) => ({
        NetworkCardIndex: index,
        MaximumNetworkInterfaces: index === 0 ? machine.interfaces : 99,
      })),
      MaximumNetworkInterfaces: machine.interfaces + (cards - 1) * 99,
      Ipv4AddressesPerInterface: machine.addresses,
      EnaSupport: 'required',
      ...(efas > 0 ? { EfaInfo: { MaximumEfaInterfaces: efas } } : {}),
      EncryptionInTransitSupported: true,
    },
    ...(gpu === undefined
      ? {}
      : {
          GpuInfo: { Gpus: [{ Manufacturer: gpu[0], Name: gpu[1], Count: gpu[2], MemoryInfo: { SizeInMiB: gpu[3] } }] },
        }),
    ...(neuron === undefined
      ? {}
      : { NeuronInfo: { NeuronDevices: [{ Name: neuron[0], Count: neuron[1], CoreInfo: { Count: neuron[2] } }] } }),
    PlacementGroupInfo: { SupportedStrategies: ['cluster', 'partition', 'spread'] },
    NitroEnclavesSupport: machine.vcpus >= 4 && hypervisor === undefined ? 'supported' : 'unsupported',
  }
}

export const ec2Type = (name: string): Ec2InstanceType => {
  const machine = typeRows.find((each) => each.name === name)
  if (machine === undefined) throw new Error(`the table has no ${name}`)
  return ec2TypeOf(machine)
}
