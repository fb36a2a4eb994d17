import { asText, isLoose } from '@kerf/provider-kit/documents'
import { type CpuSet, parseCpuSet } from '../topology/cpu-set.ts'
import type { HostLayout } from '../topology/host-topology.ts'

/** How Kerf assigns CPUs of hypervisors: `simple` only counts them, and `static` pins each guest to CPUs and NUMA nodes. */
export const nodePolicies = ['simple', 'static'] as const
export type NodePolicy = (typeof nodePolicies)[number]

/** What NODE_SETTING_FILE contains about a hypervisor. */
export interface HypervisorSettings {
  /** The CPUs that the hypervisor reserves for itself. */
  readonly reservedCpus: CpuSet
  /** The bytes of memory that the hypervisor reserves for itself. */
  readonly reservedMemory: number
  readonly layout: HostLayout
}

/** Returns the settings of a hypervisor. */
export type HypervisorSettingsLookup = (region: string, node: string) => HypervisorSettings

/** The settings of every hypervisor if there is no file. */
const USUAL: HypervisorSettings = { reservedCpus: new Set(), reservedMemory: 1024 ** 3, layout: {} }

export const usualHypervisors: HypervisorSettingsLookup = () => USUAL

/** The settings, or the problems with one sentence each. */
export type NodeSettings =
  | { readonly hypervisors: HypervisorSettingsLookup }
  | { readonly problems: readonly [string, ...string[]] }

const KEYS = ['reservedcpus', 'reservedmemory', 'sockets', 'threads', 'cores', 'uncorecaches', 'nodes']
const NODE_KEYS = ['cpus', 'memsize', 'memory']
const EVERY = '*'

const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isCount = (value: unknown): value is number | undefined => value === undefined || (isWhole(value) && value > 0)

type Nodes = NonNullable<HostLayout['nodes']>

/** Reads the NUMA nodes. Upstream's documentation calls the memory `memory`, and its code `memsize`. */
const numaNodesIn = (value: unknown): Nodes | string => {
  if (!isLoose(value)) return 'nodes must be a map of NUMA nodes'
  const nodes = new Map<number, { readonly cpus: CpuSet; readonly memory: number | undefined }>()
  for (const [id, node] of Object.entries(value)) {
    if (!/^\d{1,4}$/.test(id) || !isLoose(node)) return 'nodes must have numbers as keys and maps as values'
    const unknown = Object.keys(node).filter((key) => !NODE_KEYS.includes(key))
    if (unknown.length > 0) return `nodes.${id} has the unknown keys ${unknown.join(', ')}`
    const { cpus: text, memsize, memory = memsize } = node
    const cpus = parseCpuSet(asText(text) ?? '')
    if (cpus === undefined) return `nodes.${id}.cpus must be a list of CPUs, such as "0-7,16-23"`
    if (!isCount(memory)) return `nodes.${id}.memsize must be a number of bytes`
    const other = [...nodes].find(([, each]) => !each.cpus.isDisjointFrom(cpus))
    if (other !== undefined) return `nodes.${other[0]} and nodes.${id} have the same CPUs; give each CPU to one node`
    nodes.set(Number(id), { cpus, memory })
  }
  return nodes
}

const settingsIn = (value: unknown): HypervisorSettings | string => {
  if (!isLoose(value)) return 'must be a map'
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key))
  if (unknown.length > 0) return `has the unknown keys ${unknown.join(', ')}`
  const { reservedcpus: cpus = [], reservedmemory = USUAL.reservedMemory, nodes: given } = value
  if (!Array.isArray(cpus) || !cpus.every(isWhole)) return 'reservedcpus must be a list of CPU numbers, such as [0, 4]'
  if (!isWhole(reservedmemory)) return 'reservedmemory must be a number of bytes'
  const { sockets, cores, threads, uncorecaches: caches } = value
  if (!isCount(sockets) || !isCount(cores) || !isCount(threads) || !isCount(caches))
    return 'sockets, cores, threads and uncorecaches must be numbers above 0'
  const nodes = given === undefined ? undefined : numaNodesIn(given)
  if (typeof nodes === 'string') return nodes
  return {
    ...{ reservedCpus: new Set(cpus), reservedMemory: reservedmemory },
    layout: { sockets, cores, threads, caches, nodes },
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error instanceof Error ? error : new Error(asText(error) ?? '')
  }
}

/** Parses the content of the file NODE_SETTING_FILE (`providers/proxmox/docs/spec/proxmox.md#instance-types`). */
export const readNodeSettings = (text: string): NodeSettings => {
  const document = parsed(text)
  if (document instanceof Error) return { problems: [`is not JSON: ${document.message}`] }
  if (!isLoose(document)) return { problems: ['must be a map of regions'] }
  const found = new Map<string, HypervisorSettings>()
  const problems: string[] = []
  for (const [region, nodes] of Object.entries(document)) {
    if (!isLoose(nodes)) problems.push(`${region} must be a map of hypervisors`)
    else
      for (const [node, value] of Object.entries(nodes)) {
        const settings = settingsIn(value)
        if (typeof settings === 'string') problems.push(`${region}.${node}: ${settings}`)
        else found.set(`${region}/${node}`, settings)
      }
  }
  const [first, ...others] = problems
  if (first !== undefined) return { problems: [first, ...others] }
  return {
    hypervisors: (region, node) => found.get(`${region}/${node}`) ?? found.get(`${region}/${EVERY}`) ?? USUAL,
  }
}
