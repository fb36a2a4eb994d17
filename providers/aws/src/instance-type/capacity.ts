import { parseQuantity, type Quantity, toQuantity } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { defaultCardInterfaces, type Ec2InstanceType } from '../api/ec2-instance-type.ts'
import { awsResources } from '../labels.ts'
import { familyTraits } from '../node-class/ami-family.ts'
import type { NodeClassTraits } from '../node-class/node-class-traits.ts'
import type { InstanceTypeFacts } from '../tables/instance-facts.ts'
import type { TypeSettings } from './type-settings.ts'

/** Computes the expected capacity of a node of an instance type (`providers/aws/docs/spec/aws.md#capacity`). */

const MIB = 1024 * 1024
const PODS_WITHOUT_NETWORK_LIMIT = 110
const DEFAULT_VOLUME = '20Gi'

export const vcpuCount = (type: Ec2InstanceType): number => type.VCpuInfo?.DefaultVCpus ?? 0

/** Returns the memory that the kernel is expected to report. Used until a node of the instance type has started. */
const typeMemory = (type: Ec2InstanceType, overhead: number): Quantity => {
  const isArm = type.ProcessorInfo?.SupportedArchitectures?.[0] === 'arm64'
  // On Graviton the kernel reserves 64 MiB for contiguous allocations.
  const mebibytes = (type.MemoryInfo?.SizeInMiB ?? 0) - (isArm ? 64 : 0)
  const kept = Math.ceil((mebibytes * MIB * overhead) / 1024 / 1024)
  return toQuantity((mebibytes - kept) * MIB)
}

/**
 * Returns the number of pods that can have their own address. Each interface uses one address itself, and two pods use the host network.
 */
export const networkPods = (type: Ec2InstanceType, traits: NodeClassTraits, reservedEnis: number): number => {
  const withoutAddresses = traits.networkInterfaces.filter(
    ({ networkCardIndex, interfaceType }) => networkCardIndex === 0 && interfaceType === 'efa-only',
  ).length
  const usable = Math.max(defaultCardInterfaces(type) - reservedEnis - withoutAddresses, 0)
  return usable === 0 ? 0 : usable * ((type.NetworkInfo?.Ipv4AddressesPerInterface ?? 0) - 1) + 2
}

/** Returns the maximum number of pods that the kubelet accepts. */
export const maxPodCount = (type: Ec2InstanceType, traits: NodeClassTraits, settings: TypeSettings): number => {
  const { hasNetworkPodDensity, supportsPodsPerCore } = familyTraits[traits.family]
  const { maxPods, podsPerCore = 0 } = traits.kubelet
  const pods =
    typeof maxPods === 'number'
      ? maxPods
      : hasNetworkPodDensity
        ? networkPods(type, traits, settings.reservedEnis)
        : PODS_WITHOUT_NETWORK_LIMIT
  return podsPerCore > 0 && supportsPodsPerCore ? Math.min(pods, podsPerCore * vcpuCount(type)) : pods
}

/** Returns the size of the volume that holds the kubelet's files. */
const typeEphemeralStorage = (type: Ec2InstanceType, traits: NodeClassTraits): Quantity => {
  const instanceStore = type.InstanceStorageInfo?.TotalSizeInGB
  if (traits.raid0 && instanceStore !== undefined) return parseQuantity(`${instanceStore}G`)
  const { ephemeralDevice, defaultVolumes } = familyTraits[traits.family]
  const root = traits.volumes.find((volume) => volume.rootVolume === true)?.ebs?.volumeSize
  if (root !== undefined) return parseQuantity(root)
  if (traits.family === 'Custom') return parseQuantity(traits.volumes.at(-1)?.ebs?.volumeSize ?? DEFAULT_VOLUME)
  const own = traits.volumes.find((volume) => volume.deviceName === ephemeralDevice)?.ebs?.volumeSize
  const usual = defaultVolumes.find((volume) => volume.deviceName === ephemeralDevice)?.size
  return parseQuantity(own ?? usual ?? DEFAULT_VOLUME)
}

const typeGpus = (type: Ec2InstanceType, manufacturer: string): number =>
  (type.GpuInfo?.Gpus ?? []).reduce((sum, gpu) => sum + (gpu.Manufacturer === manufacturer ? (gpu.Count ?? 0) : 0), 0)

const typeNeuron = (type: Ec2InstanceType): { devices: number; cores: number } => {
  const devices = type.NeuronInfo?.NeuronDevices ?? []
  const [first] = devices
  return {
    devices: devices.reduce((sum, device) => sum + (device.Count ?? 0), 0),
    cores: (first?.Count ?? 0) * (first?.CoreInfo?.Count ?? 0),
  }
}

const typeEfas = (type: Ec2InstanceType, { networkInterfaces }: NodeClassTraits): number =>
  networkInterfaces.length > 0
    ? networkInterfaces.filter(({ interfaceType }) => interfaceType === 'efa-only').length
    : (type.NetworkInfo?.EfaInfo?.MaximumEfaInterfaces ?? 0)

/** Returns the capacity. Resources with the amount zero are left out. */
export const computeCapacity = (
  type: Ec2InstanceType,
  facts: InstanceTypeFacts,
  traits: NodeClassTraits,
  settings: TypeSettings,
  discoveredMemory: Quantity | undefined,
): Resources => {
  const neuron = typeNeuron(type)
  const isWindows = familyTraits[traits.family].windowsBuild !== undefined
  const counts: Readonly<Record<string, number>> = {
    [awsResources.podEni]: facts.branchInterfaces ?? 0,
    [awsResources.privateIPv4Address]: isWindows ? Math.max((facts.ipv4PerInterface ?? 0) - 1, 0) : 0,
    [awsResources.nvidiaGpu]: typeGpus(type, 'NVIDIA'),
    [awsResources.amdGpu]: typeGpus(type, 'AMD'),
    [awsResources.gaudi]: typeGpus(type, 'Habana'),
    [awsResources.neuron]: neuron.devices,
    [awsResources.neuronCore]: neuron.cores,
    [awsResources.efa]: typeEfas(type, traits),
  }
  return {
    cpu: toQuantity(vcpuCount(type)),
    memory: discoveredMemory ?? typeMemory(type, settings.vmMemoryOverheadPercent),
    'ephemeral-storage': typeEphemeralStorage(type, traits),
    pods: toQuantity(maxPodCount(type, traits, settings)),
    ...Object.fromEntries(
      Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => [name, toQuantity(count)]),
    ),
  }
}
