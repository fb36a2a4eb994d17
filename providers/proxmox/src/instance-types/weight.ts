import { capacityTypes, toNumber, type UsdPerHour, zero } from '@kerf/apis'
import type { GuestType } from './guest-type.ts'

/** The weights of a vCPU and of 10^9 bytes of memory. They are the same as in Karpenter's provider. */
const CPU_WEIGHT = 0.025
const MEMORY_WEIGHT = 0.001
const SPOT_SHARE = 0.5

/** The rule for weights, as a text for users. */
export const WEIGHT_TEXT = `${CPU_WEIGHT} for each CPU and ${MEMORY_WEIGHT} for each 10^9 bytes of memory, half of it for spot`

/**
 * Returns the weight of CPUs and memory that replaces a price (`providers/proxmox/docs/spec/proxmox.md#instance-types`). Guests on the
 * user's own hypervisors have no price, but a NodeOverlay can set one.
 */
export const typeWeight = ({ capacity, capacityType }: GuestType): UsdPerHour => {
  const { cpu = zero, memory = zero } = capacity
  const weight = CPU_WEIGHT * toNumber(cpu) + (MEMORY_WEIGHT * toNumber(memory)) / 1e9
  return capacityType === capacityTypes.spot ? weight * SPOT_SHARE : weight
}
