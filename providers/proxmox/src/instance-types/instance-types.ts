import { labels, toQuantity } from '@kerf/apis'
import type { InstanceType, Offering, RequirementSpec } from '@kerf/engine'
import { proxmoxLabels } from '../label-names.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import type { SelectedZone } from '../templates/selected-zone.ts'
import type { GuestType } from './guest-type.ts'
import { typeFamily } from './type-name.ts'
import { typeWeight } from './weight.ts'

/** The hypervisors of a node class, and the instance types for which they have capacity. */
export interface Market {
  readonly zones: readonly Pick<SelectedZone, 'region' | 'zone'>[]
  /** Returns false if the hypervisor currently has no capacity for an instance of the type. */
  isAvailable(type: GuestType, zone: Pick<SelectedZone, 'region' | 'zone'>): boolean
}

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })
const isAbsent = (key: string): RequirementSpec => ({ key, operator: 'DoesNotExist' })
const anyOf = (key: string, values: readonly string[]): RequirementSpec =>
  values.length === 0 ? isAbsent(key) : is(key, ...new Set(values))

const typeOfferings = (type: GuestType, market: Market): readonly Offering[] =>
  market.zones.map((place) => ({
    requirements: [
      is(labels.capacityType, type.capacityType),
      is(labels.region, place.region),
      is(labels.zone, place.zone),
    ],
    price: typeWeight(type),
    available: market.isAvailable(type, place),
  }))

/**
 * Returns the instance types for nodes of a class (`providers/proxmox/docs/spec/proxmox.md#instance-types`). Includes types for which no
 * hypervisor has capacity.
 */
export const instanceTypes = (
  types: readonly GuestType[],
  { spec }: Pick<ProxmoxNodeClass, 'spec'>,
  market: Market,
): readonly InstanceType[] => {
  const { maxPods } = spec?.kubeletConfiguration ?? {}
  return types.map((type) => ({
    name: type.name,
    requirements: [
      is(labels.instanceType, type.name),
      is(labels.arch, 'amd64'),
      is(labels.os, 'linux'),
      anyOf(
        labels.region,
        market.zones.map(({ region }) => region),
      ),
      anyOf(
        labels.zone,
        market.zones.map(({ zone }) => zone),
      ),
      is(labels.capacityType, type.capacityType),
      isAbsent(labels.windowsBuild),
      is(proxmoxLabels.family, typeFamily(type.name)),
      isAbsent(proxmoxLabels.cpuType),
      isAbsent(proxmoxLabels.imageId),
    ],
    offerings: typeOfferings(type, market),
    capacity: { ...type.capacity, ...(maxPods === undefined ? {} : { pods: toQuantity(maxPods) }) },
    overhead: type.overhead,
  }))
}
