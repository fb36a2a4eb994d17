import { formatQuantity, parseQuantity, toWhole, type UsdPerHour } from '@kerf/apis'
import type { InstanceTypeEntry, OfferingEntry } from '@kerf/provider-kit'

const CPUS = [1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256] as const
/** GiB of memory per CPU, and the name of the family that has this ratio. */
const FAMILIES = [
  { family: 'c', memoryFactor: 2 },
  { family: 's', memoryFactor: 4 },
  { family: 'm', memoryFactor: 8 },
] as const
const OPERATING_SYSTEMS = ['linux', 'windows'] as const
const ARCHITECTURES = ['amd64', 'arm64'] as const
const ZONES = ['test-zone-a', 'test-zone-b', 'test-zone-c', 'test-zone-d'] as const

const SPOT_FACTOR = 0.7
const PODS_PER_CPU = 16
const MOST_PODS = 1024

/**
 * Returns the entries of the instance types that the provider offers if there is no file: 144 types with eight offerings each, with
 * upstream's order, names and prices (`providers/kwok/docs/spec/kwok.md#catalogue`).
 */
export const generatedEntries = (): readonly InstanceTypeEntry[] =>
  CPUS.flatMap((cpu) =>
    FAMILIES.flatMap(({ family, memoryFactor }) =>
      OPERATING_SYSTEMS.flatMap((operatingSystem) =>
        ARCHITECTURES.map((architecture) => entryOf(cpu, family, memoryFactor, operatingSystem, architecture)),
      ),
    ),
  )

const entryOf = (
  cpu: number,
  family: string,
  memoryFactor: number,
  operatingSystem: string,
  architecture: string,
): InstanceTypeEntry => {
  const memory = parseQuantity(`${cpu * memoryFactor}Gi`)
  return {
    name: `${family}-${cpu}x-${architecture}-${operatingSystem}`,
    offerings: offeringsAt(0.025 * cpu + (0.001 * toWhole(memory)) / 1e9),
    architecture,
    operatingSystems: [operatingSystem],
    resources: {
      cpu: String(cpu),
      memory: formatQuantity(memory, 'BinarySI'),
      pods: String(Math.min(cpu * PODS_PER_CPU, MOST_PODS)),
      'ephemeral-storage': '20Gi',
    },
  }
}

const offeringsAt = (onDemandPrice: UsdPerHour): readonly OfferingEntry[] =>
  ZONES.flatMap((zone) => [
    offering(zone, 'spot', SPOT_FACTOR * onDemandPrice),
    offering(zone, 'on-demand', onDemandPrice),
  ])

const offering = (zone: string, capacityType: string, price: UsdPerHour): OfferingEntry => ({
  Price: price,
  Available: true,
  Requirements: [
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] },
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] },
  ],
})
