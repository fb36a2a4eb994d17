import { asText, isLoose } from '@kerf/provider-kit/documents'

/** The resources that a hypervisor reserves for itself. */
export interface HypervisorReserve {
  readonly cpus: number
  /** Bytes. */
  readonly memory: number
}

/** Returns the resources that a hypervisor reserves for itself. */
export type HypervisorReserves = (region: string, node: string) => HypervisorReserve

/** The reserve of every hypervisor if there is no file. */
const USUAL: HypervisorReserve = { cpus: 0, memory: 1024 ** 3 }

export const usualReserves: HypervisorReserves = () => USUAL

/** The reserves, or the problems with one sentence each. */
export type NodeSettings =
  | { readonly reserves: HypervisorReserves }
  | { readonly problems: readonly [string, ...string[]] }

/** The keys of a hypervisor's entry. The keys for the topology apply only to the policy `static`. */
const KEYS = ['reservedcpus', 'reservedmemory', 'sockets', 'threads', 'cores', 'uncorecaches', 'nodes']
const EVERY = '*'

const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0

const reserveIn = (value: unknown): HypervisorReserve | string => {
  if (!isLoose(value)) return 'must be a map'
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key))
  if (unknown.length > 0) return `has the unknown keys ${unknown.join(', ')}`
  const { reservedcpus: cpus = [], reservedmemory: memory = USUAL.memory } = value
  if (!Array.isArray(cpus) || !cpus.every(isWhole)) return 'reservedcpus must be a list of CPU numbers, such as [0, 4]'
  if (!isWhole(memory)) return 'reservedmemory must be a number of bytes'
  return { cpus: new Set(cpus).size, memory }
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
  const reserves = new Map<string, HypervisorReserve>()
  const problems: string[] = []
  for (const [region, nodes] of Object.entries(document)) {
    if (!isLoose(nodes)) problems.push(`${region} must be a map of hypervisors`)
    else
      for (const [node, value] of Object.entries(nodes)) {
        const reserve = reserveIn(value)
        if (typeof reserve === 'string') problems.push(`${region}.${node}: ${reserve}`)
        else reserves.set(`${region}/${node}`, reserve)
      }
  }
  const [first, ...others] = problems
  if (first !== undefined) return { problems: [first, ...others] }
  return {
    reserves: (region, node) => reserves.get(`${region}/${node}`) ?? reserves.get(`${region}/${EVERY}`) ?? USUAL,
  }
}
