import type { ProxmoxInstance } from '../guests/proxmox-instance.ts'
import type { RegionState } from '../hypervisors/region-state.ts'

/** CPUs and bytes of memory. */
export interface Amount {
  readonly cpus: number
  readonly memory: number
}

/** A launch that the list of guests may not contain yet. */
export interface Reservation extends Amount {
  readonly region: string
  readonly vmid: number
  readonly node: string
}

/** The memory that every hypervisor keeps for itself. */
const RESERVED_MEMORY = 1024 ** 3
const MIB = 1024 ** 2

/**
 * Returns what new guests can use on each hypervisor (`providers/proxmox/docs/spec/proxmox.md#instance-types`): the whole, without a reserve of
 * memory, running guests, and instances of Kerf in any state. CPUs and memory are never promised twice. A hypervisor that is offline or in
 * maintenance has nothing.
 */
export const freeCapacity = (
  { guests, hypervisors }: RegionState,
  instances: readonly ProxmoxInstance[],
  reservations: readonly Reservation[],
): ReadonlyMap<string, Amount> => {
  const own = new Map(instances.map((instance) => [instance.vmid, instance]))
  const listed = new Set(guests.map(({ vmid }) => vmid))
  const used = guests.flatMap(({ vmid, node, status, isTemplate, cpus, memory }) => {
    const { cpus: plannedCpus, memoryMiB } = own.get(vmid)?.description ?? {}
    if (plannedCpus !== undefined && memoryMiB !== undefined)
      return [{ node, cpus: plannedCpus, memory: memoryMiB * MIB }]
    return status === 'running' && !isTemplate ? [{ node, cpus, memory }] : []
  })
  const coming = reservations.filter(({ vmid }) => !listed.has(vmid))
  return new Map(
    hypervisors.map(({ name, isOnline, isInMaintenance, cpus, memory }) => {
      const here = [...used, ...coming].filter(({ node }) => node === name)
      const usable = isOnline && !isInMaintenance
      return [
        name,
        {
          cpus: usable ? here.reduce((left, guest) => left - guest.cpus, cpus) : 0,
          memory: usable ? here.reduce((left, guest) => left - guest.memory, memory - RESERVED_MEMORY) : 0,
        },
      ]
    }),
  )
}

/** Returns true if the amount is free. */
export const fitsInto = (free: Amount | undefined, wanted: Amount): boolean =>
  free !== undefined && free.cpus >= wanted.cpus && free.memory >= wanted.memory
