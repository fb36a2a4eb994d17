/**
 * The fields of EC2's DescribeInstanceTypes that decisions depend on, under EC2's names. Instance types from the SDK and instance types
 * from a file both have this shape.
 */
export interface Ec2InstanceType {
  readonly InstanceType?: string | undefined
  readonly SupportedUsageClasses?: readonly string[] | undefined
  readonly BareMetal?: boolean | undefined
  readonly Hypervisor?: string | undefined
  readonly ProcessorInfo?:
    | {
        readonly SupportedArchitectures?: readonly string[] | undefined
        readonly SustainedClockSpeedInGhz?: number | undefined
        readonly SupportedFeatures?: readonly string[] | undefined
        readonly Manufacturer?: string | undefined
      }
    | undefined
  readonly VCpuInfo?: { readonly DefaultVCpus?: number | undefined } | undefined
  readonly MemoryInfo?: { readonly SizeInMiB?: number | undefined } | undefined
  readonly InstanceStorageInfo?:
    | { readonly TotalSizeInGB?: number | undefined; readonly NvmeSupport?: string | undefined }
    | undefined
  readonly EbsInfo?:
    | {
        readonly EbsOptimizedSupport?: string | undefined
        readonly EbsOptimizedInfo?: { readonly MaximumBandwidthInMbps?: number | undefined } | undefined
      }
    | undefined
  readonly NetworkInfo?:
    | {
        readonly DefaultNetworkCardIndex?: number | undefined
        readonly NetworkCards?: readonly Ec2NetworkCard[] | undefined
        readonly MaximumNetworkInterfaces?: number | undefined
        readonly Ipv4AddressesPerInterface?: number | undefined
        readonly EnaSupport?: string | undefined
        readonly EfaInfo?: { readonly MaximumEfaInterfaces?: number | undefined } | undefined
        readonly EncryptionInTransitSupported?: boolean | undefined
      }
    | undefined
  readonly GpuInfo?: { readonly Gpus?: readonly Ec2Gpu[] | undefined } | undefined
  readonly NeuronInfo?: { readonly NeuronDevices?: readonly Ec2NeuronDevice[] | undefined } | undefined
  readonly InferenceAcceleratorInfo?: { readonly Accelerators?: readonly Ec2Accelerator[] | undefined } | undefined
  readonly PlacementGroupInfo?: { readonly SupportedStrategies?: readonly string[] | undefined } | undefined
  readonly NitroEnclavesSupport?: string | undefined
}

export interface Ec2NetworkCard {
  readonly NetworkCardIndex?: number | undefined
  readonly MaximumNetworkInterfaces?: number | undefined
}

export interface Ec2Accelerator {
  readonly Name?: string | undefined
  readonly Manufacturer?: string | undefined
  readonly Count?: number | undefined
}

export interface Ec2Gpu extends Ec2Accelerator {
  readonly MemoryInfo?: { readonly SizeInMiB?: number | undefined } | undefined
}

export interface Ec2NeuronDevice extends Ec2Accelerator {
  readonly CoreInfo?: { readonly Count?: number | undefined } | undefined
}

/** Returns the number of interfaces of the default network card. Pods get addresses only from this card. */
export const defaultCardInterfaces = ({ NetworkInfo: network }: Ec2InstanceType): number => {
  const index = network?.DefaultNetworkCardIndex ?? 0
  const card = network?.NetworkCards?.find((each) => (each.NetworkCardIndex ?? 0) === index)
  return card?.MaximumNetworkInterfaces ?? network?.MaximumNetworkInterfaces ?? 0
}
