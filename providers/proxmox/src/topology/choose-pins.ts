import type { CpuSet } from './cpu-set.ts'
import type { GuestPins, PinnedNode } from './guest-pins.ts'
import type { HostCpu, HostTopology, NumaNode } from './host-topology.ts'

/** The CPUs and the memory of a hypervisor to which new guests can be pinned. */
export interface FreePins {
  readonly topology: HostTopology
  readonly cpus: CpuSet
  /** The free bytes of each NUMA node, by ID. */
  readonly memory: ReadonlyMap<number, number>
}

/** A NUMA node with its free CPUs. */
interface FreeNode {
  readonly node: NumaNode
  readonly cpus: readonly HostCpu[]
  readonly memory: number
}

const MIB = 1024 ** 2

const byId = <T>(items: readonly T[], key: (item: T) => number): readonly (readonly T[])[] =>
  [...Map.groupBy(items, key)].toSorted(([a], [b]) => a - b).map(([, group]) => group)

/**
 * Returns `count` of the free CPUs of a NUMA node. They share a last-level cache if possible, preferably the fullest one. Kerf takes whole
 * cores first, and a single CPU preferably from a core that is partly used.
 */
const takeCpus = (free: readonly HostCpu[], threads: number, count: number): readonly number[] => {
  const caches = byId(free, ({ cache }) => cache)
  const enough = caches.filter((group) => group.length >= count).toSorted((a, b) => a.length - b.length)[0]
  const pool = enough ?? caches.toSorted((a, b) => b.length - a.length).flat()
  const cores = [...Map.groupBy(pool, ({ core }) => core).values()]
  const whole = cores.filter((core) => core.length >= threads).slice(0, Math.floor(count / threads))
  const rest = cores.filter((core) => !whole.includes(core)).toSorted((a, b) => a.length - b.length)
  return [...whole, ...rest]
    .flat()
    .slice(0, count)
    .map(({ id }) => id)
}

/** Returns how many CPUs of a guest each NUMA node gets, fewest nodes first. Returns undefined if they do not suffice. */
const split = (
  nodes: readonly FreeNode[],
  { cpus, memoryMiB }: { readonly cpus: number; readonly memoryMiB: number },
): readonly (readonly [FreeNode, number])[] | undefined => {
  const perCpu = Math.ceil(memoryMiB / cpus) * MIB
  let missing = cpus
  const parts: (readonly [FreeNode, number])[] = []
  for (const node of nodes.toSorted((a, b) => b.cpus.length - a.cpus.length || a.node.id - b.node.id)) {
    const count = Math.min(missing, node.cpus.length, Math.floor(node.memory / perCpu))
    if (count > 0) parts.push([node, count])
    missing -= count
  }
  return missing > 0 ? undefined : parts.toSorted(([a], [b]) => a.node.id - b.node.id)
}

/**
 * Chooses the CPUs and the NUMA nodes of a new guest (`providers/proxmox/docs/spec/proxmox.md#the-policy-static`): one NUMA node if
 * possible, otherwise the nodes of one socket, otherwise any nodes. Among several candidates, the one with the fewest free CPUs is used,
 * so that large guests still fit elsewhere. Each node provides memory in proportion to its CPUs. Returns undefined if the guest does not
 * fit.
 */
export const choosePins = (
  { topology, cpus: freeCpus, memory }: FreePins,
  wanted: { readonly cpus: number; readonly memory: number },
): GuestPins | undefined => {
  const memoryMiB = Math.floor(wanted.memory / MIB)
  const nodes = topology.map(
    (node): FreeNode => ({
      node,
      cpus: node.cpus.filter(({ id }) => freeCpus.has(id)),
      memory: memory.get(node.id) ?? 0,
    }),
  )
  const groups = [nodes.map((each) => [each]), byId(nodes, ({ node }) => node.socket), [nodes]]
  const size = (group: readonly FreeNode[]): number => group.reduce((sum, { cpus }) => sum + cpus.length, 0)
  for (const level of groups)
    for (const group of level.toSorted((a, b) => size(a) - size(b))) {
      const parts = split(group, { cpus: wanted.cpus, memoryMiB })
      if (parts !== undefined) return pinsFrom(parts, wanted.cpus, memoryMiB)
    }
  return undefined
}

const pinsFrom = (parts: readonly (readonly [FreeNode, number])[], total: number, memoryMiB: number): GuestPins => {
  const cpus = new Set<number>()
  const nodes: PinnedNode[] = []
  let [given, taken] = [0, 0]
  for (const [{ node, cpus: free }, count] of parts) {
    const perCore = Map.groupBy(node.cpus, ({ core }) => core)
    const threads = Math.max(...[...perCore.values()].map((core) => core.length))
    for (const cpu of takeCpus(free, threads, count)) cpus.add(cpu)
    taken += count
    // The amounts are whole MiB whose sum is exactly the guest's memory, as Proxmox requires.
    const upTo = Math.floor((memoryMiB * taken) / total)
    nodes.push({ id: node.id, cpus: count, memoryMiB: upTo - given })
    given = upTo
  }
  return { cpus, nodes }
}
