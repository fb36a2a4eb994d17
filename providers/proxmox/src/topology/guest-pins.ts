import { ownValue } from '@kerf/apis'
import type { Parameters } from '../api/parameters.ts'
import { parseProperties } from '../api/property-string.ts'
import type { GuestConfig } from '../api/proxmox-api.ts'
import { type CpuSet, formatCpuSet, parseCpuSet } from './cpu-set.ts'

/** A part of a guest on one NUMA node of its hypervisor. */
export interface PinnedNode {
  /** The NUMA node of the hypervisor. */
  readonly id: number
  /** The number of the guest's CPUs there. */
  readonly cpus: number
  readonly memoryMiB: number
}

/** The CPUs and the NUMA nodes of a hypervisor to which a guest is pinned. */
export interface GuestPins {
  readonly cpus: CpuSet
  readonly nodes: readonly PinnedNode[]
}

const MIB = 1024 ** 2

/** Returns the options that pin a guest (`providers/proxmox/docs/spec/proxmox.md#the-policy-static`). */
export const pinOptions = ({ cpus, nodes }: GuestPins): Parameters => {
  let first = 0
  const numa = nodes.map(({ id, cpus: count, memoryMiB }, index): readonly [string, string] => {
    const own = formatCpuSet(Array.from({ length: count }, (_, each) => first + each))
    first += count
    return [`numa${index}`, `cpus=${own},hostnodes=${id},memory=${memoryMiB},policy=bind`]
  })
  return { affinity: formatCpuSet(cpus), ...(nodes.length === 0 ? {} : { numa: true, ...Object.fromEntries(numa) }) }
}

/** Returns the text of the NUMA nodes for the description of a guest, such as `0:2:4096/1:2:4096`: ID, CPUs and MiB of each. */
export const formatPinnedNodes = (nodes: readonly PinnedNode[]): string =>
  nodes.map(({ id, cpus, memoryMiB }) => `${id}:${cpus}:${memoryMiB}`).join('/')

/** Returns the pins from the texts in the description of a guest. Returns undefined if the guest is not pinned. */
export const parsePins = (affinity = '', numa = ''): GuestPins | undefined => {
  const cpus = parseCpuSet(affinity)
  const nodes = numa.split('/').flatMap((part): readonly PinnedNode[] => {
    const [, id, count, memoryMiB] = /^(\d+):(\d+):(\d+)$/.exec(part) ?? []
    return id === undefined ? [] : [{ id: Number(id), cpus: Number(count), memoryMiB: Number(memoryMiB) }]
  })
  return cpus && { cpus, nodes }
}

/** Returns the `numaN` options of a guest: the guest's CPUs and the bytes of memory on each NUMA node of the hypervisor. */
export const configNumaNodes = (
  config: GuestConfig,
): readonly { readonly id: number; readonly cpus: CpuSet; readonly memory: number }[] =>
  Object.keys(config)
    .filter((option) => /^numa\d+$/.test(option))
    .toSorted()
    .flatMap((option) => {
      const properties = parseProperties(String(ownValue(config, option)), '')
      const hosts = [...(parseCpuSet(properties.get('hostnodes') ?? '') ?? [])]
      const cpus = [...(parseCpuSet(properties.get('cpus') ?? '') ?? [])]
      const memory = Number(properties.get('memory') ?? 0) * MIB
      const share = Math.ceil(cpus.length / Math.max(1, hosts.length))
      return hosts.map((id, index) => ({
        id,
        cpus: new Set(cpus.slice(index * share, (index + 1) * share)),
        memory: Math.floor(memory / hosts.length),
      }))
    })

/** Returns the pins in the configuration of a guest. Returns undefined if the guest is not pinned. */
export const configPins = (config: GuestConfig): GuestPins | undefined => {
  const cpus = parseCpuSet(String(config['affinity'] ?? '')) ?? new Set<number>()
  const nodes = configNumaNodes(config).map(({ id, cpus: own, memory }) => ({
    ...{ id, cpus: own.size, memoryMiB: Math.floor(memory / MIB) },
  }))
  return cpus.size === 0 && nodes.length === 0 ? undefined : { cpus, nodes }
}
