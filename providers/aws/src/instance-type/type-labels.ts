import { capacityTypes, labels, ownValue } from '@kerf/apis'
import type { RequirementSpec } from '@kerf/engine'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import { awsLabels, ZONE_ID_LABEL } from '../label-names.ts'
import { familyTraits } from '../node-class/ami-family.ts'
import type { NodeClassTraits } from '../node-class/node-class-traits.ts'
import { placementPartitions, supportedCapacityTypes } from '../offerings/offerings.ts'
import type { InstanceTypeFacts } from '../tables/instance-facts.ts'
import type { TypeSettings } from './type-settings.ts'

/** Extracts category and generation from an instance type name: u-6tb1.metal has category u, generation 1. */
const NAME = /^([a-z]+)(?:-[0-9]+tb)?([0-9]+).*\./

const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: 'amd64', arm64: 'arm64' }

const kebab = (text: string | undefined): string | undefined => text?.toLowerCase().replaceAll(' ', '-')
const only = <T>(list: readonly T[] | undefined): T | undefined => (list?.length === 1 ? list[0] : undefined)

/** A label value. `undefined` means that nodes of the instance type do not have the label. */
type LabelValue = string | number | boolean | undefined

const accelerator = (
  type: Ec2InstanceType,
): { name: LabelValue; manufacturer: LabelValue; count: LabelValue } | undefined => {
  const neuron = only(type.NeuronInfo?.NeuronDevices)
  if (neuron !== undefined) return { name: kebab(neuron.Name), manufacturer: 'aws', count: neuron.Count }
  if (type.NeuronInfo !== undefined) return undefined
  const other = only(type.InferenceAcceleratorInfo?.Accelerators)
  return other && { name: kebab(other.Name), manufacturer: kebab(other.Manufacturer), count: other.Count }
}

/** Returns the labels that have one value on every node of the instance type, regardless of how it is launched. */
const fixedLabels = (type: Ec2InstanceType, facts: InstanceTypeFacts): Readonly<Record<string, LabelValue>> => {
  const name = type.InstanceType ?? ''
  const [family = '', size] = name.split('.')
  const [, category, generation] = NAME.exec(name) ?? []
  const gigahertz = type.ProcessorInfo?.SustainedClockSpeedInGhz
  const { EbsInfo: ebs, InstanceStorageInfo: store, NetworkInfo: network } = type
  const hasNvme = store !== undefined && store.NvmeSupport !== 'unsupported'
  const gpu = only(type.GpuInfo?.Gpus)
  const extra = accelerator(type)
  return {
    [labels.instanceType]: name,
    [labels.arch]: type.ProcessorInfo?.SupportedArchitectures?.map((each) => ownValue(ARCHITECTURES, each)).find(
      (each) => each !== undefined,
    ),
    [awsLabels.category]: category,
    [awsLabels.generation]: generation,
    [awsLabels.family]: family,
    [awsLabels.size]: size,
    [awsLabels.capabilityFlex]: family.includes('-flex'),
    [awsLabels.cpu]: type.VCpuInfo?.DefaultVCpus,
    [awsLabels.cpuManufacturer]: kebab(type.ProcessorInfo?.Manufacturer),
    [awsLabels.cpuSustainedClockSpeed]: gigahertz === undefined ? undefined : Math.round(gigahertz * 1000),
    [awsLabels.memory]: type.MemoryInfo?.SizeInMiB,
    [awsLabels.ebsBandwidth]:
      ebs?.EbsOptimizedSupport === 'default' ? ebs.EbsOptimizedInfo?.MaximumBandwidthInMbps : undefined,
    [awsLabels.networkBandwidth]: facts.baselineNetworkBandwidth,
    [awsLabels.localNvme]: hasNvme ? store.TotalSizeInGB : undefined,
    // Bare metal has no hypervisor, so the value is empty. Classes with connectionTracking therefore exclude bare metal.
    [awsLabels.hypervisor]: type.Hypervisor ?? '',
    [awsLabels.encryptionInTransitSupported]: network?.EncryptionInTransitSupported ?? false,
    [awsLabels.nitroSandbox]: type.NitroEnclavesSupport === 'supported',
    [awsLabels.gpuName]: kebab(gpu?.Name),
    [awsLabels.gpuManufacturer]: kebab(gpu?.Manufacturer),
    [awsLabels.gpuCount]: gpu?.Count,
    [awsLabels.gpuMemory]: gpu?.MemoryInfo?.SizeInMiB,
    [awsLabels.acceleratorName]: extra?.name,
    [awsLabels.acceleratorManufacturer]: extra?.manufacturer,
    [awsLabels.acceleratorCount]: extra?.count,
  }
}

const requirement = (key: string, values: readonly string[] | undefined): RequirementSpec =>
  values === undefined ? { key, operator: 'DoesNotExist' } : { key, operator: 'In', values }

/** Returns the values of reservations without duplicates, or undefined if there are none. */
const reserved = (values: readonly string[]): readonly string[] | undefined =>
  values.length === 0 ? undefined : [...new Set(values)]

/** Returns the zones that offer the instance type and in which the node class has a subnet. */
const usableZones = (offeredIn: ReadonlySet<string>, traits: NodeClassTraits): readonly string[] =>
  [...traits.zones.keys()].filter((zone) => offeredIn.has(zone)).sort()

/**
 * Returns a requirement for every label that nodes of the instance type always or never have
 * (`providers/aws/docs/spec/aws.md#labels-of-instance-types`).
 */
export const typeRequirements = (
  type: Ec2InstanceType,
  facts: InstanceTypeFacts,
  traits: NodeClassTraits,
  settings: TypeSettings,
  offeredIn: ReadonlySet<string>,
): readonly RequirementSpec[] => {
  const fixed = fixedLabels(type, facts)
  const zones = usableZones(offeredIn, traits)
  const zoneIds = zones.flatMap((zone) => traits.zones.get(zone) ?? [])
  const { windowsBuild } = familyTraits[traits.family]
  const systems = windowsBuild === undefined ? ['linux'] : fixed[labels.arch] === 'amd64' ? ['windows'] : []
  const reservations = traits.reservations.filter(({ instanceType }) => instanceType === type.InstanceType)
  const group = traits.placementGroup
  return [
    ...Object.entries(fixed).map(([key, value]) => requirement(key, value === undefined ? undefined : [`${value}`])),
    requirement(labels.os, systems),
    requirement(labels.windowsBuild, windowsBuild === undefined ? undefined : [windowsBuild]),
    requirement(labels.region, [settings.region]),
    requirement(labels.zone, zones),
    ...(zoneIds.length === 0 ? [] : [requirement(ZONE_ID_LABEL, zoneIds)]),
    requirement(labels.capacityType, [
      ...supportedCapacityTypes(type),
      ...(reservations.length === 0 ? [] : [capacityTypes.reserved]),
    ]),
    requirement(awsLabels.tenancy, ['default', 'dedicated']),
    requirement(awsLabels.capacityReservationId, reserved(reservations.map(({ id }) => id))),
    requirement(
      awsLabels.capacityReservationType,
      reserved(reservations.map(({ reservationType = 'default' }) => reservationType)),
    ),
    requirement(
      awsLabels.capacityReservationInterruptible,
      reserved(reservations.map(({ interruptible = false }) => `${interruptible}`)),
    ),
    requirement(awsLabels.placementGroupId, group === undefined ? undefined : [group.id]),
    requirement(awsLabels.placementGroupPartition, placementPartitions(traits)),
  ]
}
