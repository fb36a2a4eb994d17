import type { ProxmoxInstance } from '../guests/proxmox-instance.ts'
import type { RegionState } from '../hypervisors/region-state.ts'
import type { HypervisorReserve } from '../settings/node-settings.ts'

/** A number of CPUs and of bytes of memory. */
export interface Amount {
  readonly cpus: number
  readonly memory: number
}

/** A launch that the list of guests may not contain yet. */
export interface Reservation extends Amount {
  readonly region: string
  readonly vmid: number
  readonly node: string
  /** The guest's addresses from pools, without prefixes. */
  readonly addresses?: readonly string[]
}

const MIB = 1024 ** 2

/** Kerf's guests that this process knows about. */
export interface OwnGuests {
  readonly instances: readonly ProxmoxInstance[]
  readonly reservations: readonly Reservation[]
  /** The lowest ID of Kerf's guests. */
  readonly firstId: number
  /** Returns the CPUs and the memory reserved for a hypervisor itself. */
  readonly reserve: (node: string) => HypervisorReserve
}

/**
 * Returns the CPUs and the memory that new guests can use on each hypervisor (`providers/proxmox/docs/spec/proxmox.md#instance-types`): the
 * total, minus the hypervisor's own reserve, all running guests, and Kerf's instances in any state. While a hypervisor is offline or in
 * maintenance, it has no free capacity. It also has none while an earlier process of Kerf clones a guest there, because Kerf does not know
 * the size of that guest yet.
 */
export const freeCapacity = (
  { guests, hypervisors }: RegionState,
  { instances, reservations, firstId, reserve }: OwnGuests,
): ReadonlyMap<string, Amount> => {
  const planned = new Map<number, Amount & { readonly node: string }>(
    reservations.map((reservation) => [reservation.vmid, reservation]),
  )
  for (const { vmid, node, description } of instances) {
    const { cpus, memoryMiB } = description
    if (cpus !== undefined && memoryMiB !== undefined) planned.set(vmid, { node, cpus, memory: memoryMiB * MIB })
  }
  const others = guests.filter(
    ({ vmid, status, isTemplate }) => status === 'running' && !isTemplate && !planned.has(vmid),
  )
  const unknown = new Set(
    guests.flatMap(({ vmid, node, lock, name }) =>
      vmid >= firstId && lock === 'clone' && name === undefined && !planned.has(vmid) ? [node] : [],
    ),
  )
  return new Map(
    hypervisors.map(({ name, isOnline, isInMaintenance, cpus, memory }) => {
      const here = [...planned.values(), ...others].filter(({ node }) => node === name)
      const kept = reserve(name)
      const usable = isOnline && !isInMaintenance && !unknown.has(name)
      return [
        name,
        {
          cpus: usable ? here.reduce((left, guest) => left - guest.cpus, cpus - kept.cpus) : 0,
          memory: usable ? here.reduce((left, guest) => left - guest.memory, memory - kept.memory) : 0,
        },
      ]
    }),
  )
}

/** Returns true if at least the wanted amount is free. */
export const fitsInto = (free: Amount | undefined, wanted: Amount): boolean =>
  free !== undefined && free.cpus >= wanted.cpus && free.memory >= wanted.memory
