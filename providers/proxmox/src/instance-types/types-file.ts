import { type CapacityType, capacityTypes, parseResources, tryParseQuantity } from '@kerf/apis'
import type { InstanceTypeOverhead, Resources } from '@kerf/engine'
import { asList, asText, asTextMap, isLoose } from '@kerf/provider-kit/documents'
import type { GuestType } from './guest-type.ts'

/** The types, or the problems with one sentence each. */
export type TypesFile = { readonly types: readonly GuestType[] } | { readonly problems: readonly [string, ...string[]] }

const KEYS = ['name', 'capacity', 'overhead', 'capacitytype']
const NEEDED = ['cpu', 'memory', 'pods'] as const

const isCapacityType = (text: string): text is Extract<CapacityType, 'spot' | 'on-demand'> =>
  text === capacityTypes.spot || text === capacityTypes.onDemand

const amounts = (value: unknown): Resources | string => {
  const texts = asTextMap(value)
  const bad = Object.entries(texts).find(([, text]) => tryParseQuantity(text) === undefined)
  return bad === undefined ? parseResources(texts) : `${bad[0]} ${JSON.stringify(bad[1])} must be a quantity`
}

const overheadIn = (value: unknown): InstanceTypeOverhead | string => {
  if (value === undefined) return { kubeReserved: {} }
  if (!isLoose(value)) return 'overhead must be a map'
  const { KubeReserved, SystemReserved, EvictionThreshold } = value
  const [kubeReserved, systemReserved, evictionThreshold] = [KubeReserved, SystemReserved, EvictionThreshold].map(
    amounts,
  )
  for (const each of [kubeReserved, systemReserved, evictionThreshold]) if (typeof each === 'string') return each
  return { kubeReserved, systemReserved, evictionThreshold } as InstanceTypeOverhead
}

const typeIn = (value: unknown, index: number): GuestType | string => {
  const title = `entry ${index}`
  if (!isLoose(value)) return `${title} must be a map with name and capacity`
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key))
  if (unknown.length > 0) return `${title} has the unknown keys ${unknown.join(', ')}`
  const name = asText(value['name'])
  if (name === undefined) return `${title} has no name`
  const capacityType = asText(value['capacitytype']) ?? capacityTypes.onDemand
  if (!isCapacityType(capacityType)) return `${name}: capacitytype must be on-demand or spot`
  const [capacity, overhead] = [amounts(value['capacity']), overheadIn(value['overhead'])]
  if (typeof capacity === 'string') return `${name}: capacity: ${capacity}`
  if (typeof overhead === 'string') return `${name}: overhead: ${overhead}`
  const missing = NEEDED.filter((resource) => capacity[resource] === undefined)
  return missing.length > 0
    ? `${name}: capacity lacks ${missing.join(', ')}`
    : { name, capacity, overhead, capacityType }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Parses the content of the file INSTANCE_TYPES_FILE (`providers/proxmox/docs/spec/proxmox.md#instance-types`). */
export const readTypesFile = (text: string): TypesFile => {
  const document = parsed(text)
  if (document instanceof Error) return { problems: [`is not JSON: ${document.message}`] }
  const entries = asList(document)
  if (entries.length === 0) return { problems: ['must be a list of instance types'] }
  const read = entries.map(typeIn)
  const types = read.filter((each) => typeof each !== 'string')
  const names = types.map(({ name }) => name)
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
  const [first, ...others] = [
    ...read.filter((each) => typeof each === 'string'),
    ...twice.map((name) => `two types have the name ${name}`),
  ]
  return first === undefined ? { types } : { problems: [first, ...others] }
}
