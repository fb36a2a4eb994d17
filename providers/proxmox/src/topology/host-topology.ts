import type { GuestConfig, NodeStatus } from '../api/proxmox-api.ts'
import { type CpuSet, parseCpuSet } from './cpu-set.ts'
import { configNumaNodes } from './guest-pins.ts'

/** A logical CPU of a hypervisor. CPUs with the same `core` are threads of one core. */
export interface HostCpu {
  readonly id: number
  readonly core: number
  /** The group of cores that share a last-level cache. */
  readonly cache: number
}

/** A NUMA node of a hypervisor. */
export interface NumaNode {
  readonly id: number
  readonly socket: number
  /** Bytes. */
  readonly memory: number
  readonly cpus: readonly HostCpu[]
}

/** The NUMA nodes of a hypervisor, by ascending ID. */
export type HostTopology = readonly NumaNode[]

/** What is known about the topology of a hypervisor. NODE_SETTING_FILE, the guest `node-capacity` and the CPU model each give a part. */
export interface HostLayout {
  readonly sockets?: number | undefined
  readonly cores?: number | undefined
  /** The threads of each core. */
  readonly threads?: number | undefined
  /** The number of last-level caches. */
  readonly caches?: number | undefined
  /** The NUMA nodes by ID. `memory` is in bytes. */
  readonly nodes?: ReadonlyMap<number, { readonly cpus: CpuSet; readonly memory: number | undefined }> | undefined
}

/**
 * Returns the topology of a hypervisor, or undefined if the layout has no NUMA nodes. `memory` is the hypervisor's memory in bytes, which
 * its NUMA nodes share evenly if the layout has no amounts. Linux numbers the first thread of all cores before the second threads, so CPU
 * n and CPU n + `cores` are threads of one core.
 */
export const hostTopology = (layout: HostLayout, memory: number): HostTopology | undefined => {
  const nodes = [...(layout.nodes ?? [])].toSorted(([a], [b]) => a - b)
  const count = nodes.reduce((sum, [, { cpus }]) => sum + cpus.size, 0)
  if (count === 0) return undefined
  const cores = layout.cores ?? Math.max(1, Math.floor(count / (layout.threads ?? 1)))
  const coresPerCache = Math.max(1, Math.floor(cores / (layout.caches ?? 1)))
  const sockets = layout.sockets ?? 1
  return nodes.map(([id, node], index) => ({
    id,
    socket: Math.floor((index * sockets) / nodes.length),
    memory: node.memory ?? Math.floor(memory / nodes.length),
    cpus: [...node.cpus]
      .toSorted((a, b) => a - b)
      .map((cpu) => ({ id: cpu, core: cpu % cores, cache: Math.floor((cpu % cores) / coresPerCache) })),
  }))
}

/** The number of cores that share a cache in AMD EPYC CPUs, by the second digit of the model number. */
const EPYC_CORES_PER_CACHE: ReadonlyMap<string, number> = new Map(
  Object.entries({ 2: 4, 3: 4, 4: 6, 5: 8, 6: 8, 7: 8, 8: 8 }),
)
/** The generations of AMD EPYC, the last digit of the model number, with four NUMA nodes for each socket. */
const FOUR_NODES: ReadonlySet<string> = new Set(['1', '2', '4', '5'])

/**
 * Guesses the layout of a hypervisor from its CPU model, because Proxmox's API does not contain the topology
 * (`providers/proxmox/docs/spec/proxmox.md#the-policy-static`). The guesses for AMD EPYC are upstream's. Every other model has one NUMA
 * node for each socket.
 */
export const guessLayout = ({ cpuinfo, memory }: NodeStatus): HostLayout => {
  const { cpus, cores = cpus, sockets = 1, model = '' } = cpuinfo
  const [, second = '', last = ''] = /AMD EPYC\s+\d(\d)\d(\d)/.exec(model) ?? []
  const coresPerCache = EPYC_CORES_PER_CACHE.get(second) ?? cores / sockets
  const count = sockets * (FOUR_NODES.has(last) ? 4 : 1)
  const coresPerNode = Math.floor(cores / count)
  const range = (length: number, first: number) => Array.from({ length }, (_, index) => first + index)
  const nodes = range(count, 0).map((id) => {
    const threads = range(Math.floor(cpus / cores), 0)
    const own = threads.flatMap((thread) => range(coresPerNode, thread * cores + id * coresPerNode))
    return [id, { cpus: new Set(own), memory: Math.floor(memory.total / count) }] as const
  })
  return { sockets, cores, caches: Math.max(1, Math.round(cores / coresPerCache)), nodes: new Map(nodes) }
}

/**
 * Returns the NUMA nodes that the guest `node-capacity` describes: `affinity` lists the hypervisor's CPUs, and the CPUs of `numaN` are
 * positions in this list.
 */
export const capacityGuestLayout = (config: GuestConfig): HostLayout => {
  const order = String(config['affinity'] ?? '')
    .split(',')
    .flatMap((part) => [...(parseCpuSet(part) ?? [])])
  const nodes = configNumaNodes(config).map(({ id, cpus, memory }) => {
    const own = new Set([...cpus].flatMap((position) => order[position] ?? []))
    return [id, { cpus: own, memory }] as const
  })
  if (nodes.length > 0) return { nodes: new Map(nodes) }
  const memory = Number(config['memory'] ?? Number.NaN) * 1024 ** 2
  return order.length === 0
    ? {}
    : { nodes: new Map([[0, { cpus: new Set(order), memory: Number.isNaN(memory) ? undefined : memory }]]) }
}
