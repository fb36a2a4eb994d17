import {
  capacityTypes,
  labels,
  type NodeSelectorRequirement,
  parseQuantity,
  type Quantity,
  toQuantity,
} from '@kerf/apis'
import type { InstanceType, InstanceTypeOverhead, RequirementSpec, Resources } from '@kerf/engine'
import { bizflyLabels, ON_DEMAND_PLAN } from '../names.ts'
import type { BizflyCloudNodeClass } from '../node-class/bizfly-node-class.ts'
import { DEFAULT_DISK_SIZE } from '../node-class/hash.ts'
import { type FlavorFacts, serverWeight } from './flavor-facts.ts'

const MIB = 1024 ** 2

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })
const orAbsent = (key: string, values: readonly string[]): RequirementSpec =>
  values.length === 0 ? { key, operator: 'DoesNotExist' } : is(key, ...values)

/** The maximum number of pods, up to each number of vCPUs. Bizfly's own provider uses the same numbers. */
const MOST_PODS: readonly (readonly [vcpus: number, pods: number])[] = [
  [2, 20],
  [4, 40],
  [8, 80],
  [Number.POSITIVE_INFINITY, 110],
]

const podCount = ({ vcpus, memoryMiB }: FlavorFacts): number => {
  const [, most] = MOST_PODS.find(([upTo]) => vcpus <= upTo) ?? [0, 110]
  return Math.max(5, Math.min(8 * vcpus, Math.floor(memoryMiB / 256), most))
}

/** The reserved share of the memory, up to each amount in MiB. The reserved amounts of all steps are added up. */
const MEMORY_STEPS: readonly (readonly [upTo: number, share: number])[] = [
  [4_096, 0.25],
  [8_192, 0.2],
  [16_384, 0.1],
  [131_072, 0.06],
  [Number.POSITIVE_INFINITY, 0.02],
]

const reservedMemory = (memoryMiB: number): Quantity => {
  let reserved = 0
  let from = 0
  for (const [upTo, share] of MEMORY_STEPS) {
    reserved += Math.max(0, Math.min(memoryMiB, upTo) - from) * share
    from = upTo
  }
  return toQuantity(Math.ceil(reserved) * MIB)
}

/** Returns the reserved CPU: 6% of the first vCPU, 1% of the second, 0.5% of the next two, 0.25% of the others. */
const reservedCpu = (vcpus: number): Quantity =>
  toQuantity(
    Math.ceil(
      60 + 10 * Math.min(1, vcpus - 1) + 5 * Math.max(0, Math.min(2, vcpus - 2)) + 2.5 * Math.max(0, vcpus - 4),
    ),
    'milli',
  )

/**
 * Returns the resources that pods cannot use. The reservations of the worker images are undocumented, so these are the usual shares of
 * managed clusters.
 */
const overhead = ({ vcpus, memoryMiB }: FlavorFacts, diskGB: number): InstanceTypeOverhead => ({
  kubeReserved: { cpu: reservedCpu(vcpus), memory: reservedMemory(memoryMiB) },
  evictionThreshold: {
    memory: parseQuantity('100Mi'),
    'ephemeral-storage': parseQuantity(`${Math.ceil(diskGB / 10)}G`),
  },
})

const capacity = (flavor: FlavorFacts, diskGB: number): Resources => ({
  cpu: toQuantity(flavor.vcpus),
  memory: toQuantity(flavor.memoryMiB * MIB),
  pods: toQuantity(podCount(flavor)),
  'ephemeral-storage': parseQuantity(`${diskGB}G`),
  ...(flavor.gpus === 0 ? {} : { 'nvidia.com/gpu': toQuantity(flavor.gpus) }),
})

/**
 * Returns the value of the capacity type label on nodes of a pool or claim with these requirements. It is `on_demand`, the spelling of
 * Bizfly's own provider, if the requirements allow only this spelling.
 */
export const capacityTypeFor = (requirements: readonly NodeSelectorRequirement[]): string => {
  const named = requirements.flatMap(({ key, operator, values = [] }) =>
    key === labels.capacityType && operator === 'In' ? values : [],
  )
  return named.includes(ON_DEMAND_PLAN) && !named.includes(capacityTypes.onDemand)
    ? ON_DEMAND_PLAN
    : capacityTypes.onDemand
}

/** Returns whether the class allows the flavor. */
const isAdmitted = ({ category, cpuVendor }: FlavorFacts, { spec }: Pick<BizflyCloudNodeClass, 'spec'>): boolean => {
  const vendors: readonly string[] = spec?.cpuVendors ?? []
  return (
    (spec?.nodeCategories ?? []).includes(category) &&
    (vendors.length === 0 || (cpuVendor !== undefined && vendors.includes(cpuVendor)))
  )
}

/**
 * Returns the instance types for nodes of a class, in the order of the flavors (`providers/bizfly/docs/spec/bizfly.md#instance-types`).
 * Every zone of the class has an offering of each type, because the API does not report the zones of a flavor.
 */
export const instanceTypes = (
  flavors: readonly FlavorFacts[],
  nodeClass: Pick<BizflyCloudNodeClass, 'metadata' | 'spec'>,
  { region, capacityType }: { readonly region: string; readonly capacityType: string },
): readonly InstanceType[] => {
  const {
    zones = [],
    diskTypes = [],
    networkPlans = [],
    osType,
    rootDiskSize = DEFAULT_DISK_SIZE,
  } = nodeClass.spec ?? {}
  if (zones.length === 0 || diskTypes.length === 0 || networkPlans.length === 0) return []
  return flavors
    .filter((flavor) => isAdmitted(flavor, nodeClass))
    .map((flavor) => ({
      name: flavor.name,
      requirements: [
        is(labels.instanceType, flavor.name),
        is(labels.arch, 'amd64'),
        is(labels.os, 'linux'),
        is(labels.region, region),
        is(labels.zone, ...zones),
        is(labels.capacityType, capacityType),
        { key: labels.windowsBuild, operator: 'DoesNotExist' },
        is(bizflyLabels.category, flavor.category),
        orAbsent(bizflyLabels.cpuVendor, flavor.cpuVendor === undefined ? [] : [flavor.cpuVendor]),
        is(bizflyLabels.diskType, ...diskTypes),
        is(bizflyLabels.networkPlan, ...networkPlans),
        is(bizflyLabels.osType, ...osTypes(osType)),
        is(bizflyLabels.nodeClass, nodeClass.metadata.name),
      ],
      offerings: zones.map((zone) => ({
        requirements: [is(labels.zone, zone), is(labels.capacityType, capacityType)],
        price: serverWeight(flavor),
        available: true,
      })),
      capacity: capacity(flavor, rootDiskSize),
      overhead: overhead(flavor, rootDiskSize),
    }))
}

/** Returns the operating systems of a class. The default is ubuntu. */
export const osTypes = (osType: readonly string[] = []): readonly string[] =>
  osType.length === 0 ? ['ubuntu'] : osType
