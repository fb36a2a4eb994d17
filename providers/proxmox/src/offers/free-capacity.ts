import type { ProxmoxInstance } from '../guests/proxmox-instance.ts'
import type { Hypervisor, RegionState } from '../hypervisors/region-state.ts'
import type { HypervisorSettings, NodePolicy } from '../settings/node-settings.ts'
import { choosePins, type FreePins } from '../topology/choose-pins.ts'
import { type GuestPins, parsePins } from '../topology/guest-pins.ts'
import type { HostTopology } from '../topology/host-topology.ts'

/** A number of CPUs and of bytes of memory. */
export interface Amount {
  readonly cpus: number
  readonly memory: number
}

/** The size of a guest, and the CPUs and NUMA nodes to which it is pinned. */
interface UsedAmount extends Amount {
  readonly pins?: GuestPins | undefined
}

/** A launch that the list of guests may not contain yet. */
export interface Reservation extends UsedAmount {
  readonly region: string
  readonly vmid: number
  readonly node: string
  /** The guest's addresses from pools, without prefixes. */
  readonly addresses?: readonly string[]
}

/** The CPUs and the memory of a hypervisor that new guests can use. */
export interface FreeAmount extends Amount {
  /** The CPUs to which Kerf pins new guests. Only for the policy `static`. */
  readonly pins?: FreePins
}

/** The capacity of a hypervisor that one new guest gets. */
export interface Allocation {
  readonly pins?: GuestPins
}

const MIB = 1024 ** 2

/** Kerf's guests that this process knows about, and what is known about hypervisors. */
export interface CapacityFacts {
  readonly instances: readonly ProxmoxInstance[]
  readonly reservations: readonly Reservation[]
  /** The lowest ID of Kerf's guests. */
  readonly firstId: number
  readonly settings: (node: string) => HypervisorSettings
  readonly policy: NodePolicy
  /** The pins of running guests, by ID. */
  readonly pins: ReadonlyMap<number, GuestPins>
  /** The known topologies, by hypervisor. */
  readonly topologies: ReadonlyMap<string, HostTopology>
}

type UsedHere = UsedAmount & { readonly node: string }

const cpusOf = (topology: HostTopology): readonly number[] => topology.flatMap(({ cpus }) => cpus.map(({ id }) => id))

/**
 * Returns the CPUs and the memory that new guests can use on each hypervisor (`providers/proxmox/docs/spec/proxmox.md#instance-types`): the
 * total, minus the hypervisor's own reserve, all running guests, and Kerf's instances in any state. Guests that are pinned to the same CPUs
 * use them once. While a hypervisor is offline or in maintenance, it has no free capacity. It also has none while an earlier process of
 * Kerf clones a guest there, because Kerf does not know the size of that guest yet.
 */
export const freeCapacity = (
  { guests, hypervisors }: RegionState,
  facts: CapacityFacts,
): ReadonlyMap<string, FreeAmount> => {
  const { instances, reservations, firstId, pins } = facts
  const planned = new Map<number, UsedHere>(reservations.map((reservation) => [reservation.vmid, reservation]))
  for (const { vmid, node, description } of instances) {
    const { cpus, memoryMiB, affinity, numa } = description
    if (cpus !== undefined && memoryMiB !== undefined)
      planned.set(vmid, { node, cpus, memory: memoryMiB * MIB, pins: parsePins(affinity, numa) ?? pins.get(vmid) })
  }
  const others = guests
    .filter(({ vmid, status, isTemplate }) => status === 'running' && !isTemplate && !planned.has(vmid))
    .map(({ vmid, node, cpus, memory }): UsedHere => ({ node, cpus, memory, pins: pins.get(vmid) }))
  const unknown = new Set(
    guests.flatMap(({ vmid, node, lock, name }) =>
      vmid >= firstId && lock === 'clone' && name === undefined && !planned.has(vmid) ? [node] : [],
    ),
  )
  const used = [...planned.values(), ...others]
  return new Map(
    hypervisors.map((hypervisor) => {
      const { name, isOnline, isInMaintenance } = hypervisor
      const isUsable = isOnline && !isInMaintenance && !unknown.has(name)
      const here = used.filter(({ node }) => node === name)
      return [name, isUsable ? freeAmount(hypervisor, here, facts) : { cpus: 0, memory: 0 }]
    }),
  )
}

const freeAmount = (
  { name, cpus, memory }: Hypervisor,
  used: readonly UsedAmount[],
  { settings, policy, topologies }: CapacityFacts,
): FreeAmount => {
  const { reservedCpus, reservedMemory } = settings(name)
  const topology = topologies.get(name)
  const pinned = new Set(used.flatMap(({ pins }) => [...(pins?.cpus ?? [])])).difference(reservedCpus)
  const unpinned = used.filter(({ pins }) => pins === undefined || pins.cpus.size === 0)
  const total =
    topology === undefined
      ? { cpus: cpus - reservedCpus.size, memory }
      : {
          cpus: new Set(cpusOf(topology)).difference(reservedCpus).size,
          memory: topology.reduce((sum, node) => sum + node.memory, 0),
        }
  const free: Amount = {
    cpus: unpinned.reduce((left, guest) => left - guest.cpus, total.cpus - pinned.size),
    memory: used.reduce((left, guest) => left - guest.memory, total.memory - reservedMemory),
  }
  if (policy === 'simple') return free
  // Without a topology, Kerf does not know to which CPUs it could pin a guest.
  if (topology === undefined) return { cpus: 0, memory: 0 }
  const bound = used.flatMap(({ pins }) => pins?.nodes ?? [])
  const left = ({ id, memory: all }: HostTopology[number]): number =>
    bound.filter((each) => each.id === id).reduce((sum, { memoryMiB }) => sum - memoryMiB * MIB, all)
  const pins: FreePins = {
    topology,
    cpus: new Set(cpusOf(topology)).difference(reservedCpus).difference(pinned),
    memory: new Map(topology.map((node) => [node.id, left(node)])),
  }
  return { ...free, pins }
}

/** Returns the capacity for a new guest, or undefined if it does not fit. */
export const findAllocation = (free: FreeAmount | undefined, wanted: Amount): Allocation | undefined => {
  if (free === undefined || free.cpus < wanted.cpus || free.memory < wanted.memory) return undefined
  if (free.pins === undefined) return {}
  const pins = choosePins(free.pins, wanted)
  return pins && { pins }
}
