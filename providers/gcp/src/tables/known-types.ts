import type { Accelerator, TypeFacts } from '../type-facts.ts'
import { TYPES } from './generated/types.ts'
import { ZONES, ZONES_OF_TYPES } from './generated/zones.ts'

const acceleratorIn = (text: string): readonly Accelerator[] => {
  const [count, type] = text.split('*')
  return type === undefined ? [] : [{ type, count: Number(count) }]
}

const factsIn = (family: string, text: string): TypeFacts => {
  const [rest = '', amounts = ''] = text.split('=')
  const [vcpus, memoryMiB, ...more] = amounts.split('/')
  const ssd = more.find((each) => each.endsWith('GiB'))?.slice(0, -'GiB'.length)
  return {
    name: `${family}-${rest}`,
    vcpus: Number(vcpus),
    memoryMiB: Number(memoryMiB),
    arch: more.includes('arm64') ? 'arm64' : 'amd64',
    accelerators: more.flatMap(acceleratorIn),
    localSsdGiB: Number(ssd ?? 0),
  }
}

const parseLines = (text: string): readonly string[] => text.trim().split('\n')

/** Kerf's built-in instance types, by name. */
export const knownTypes: ReadonlyMap<string, TypeFacts> = new Map(
  parseLines(TYPES)
    .flatMap((line) => {
      const [family = '', ...types] = line.split(' ')
      return types.map((text) => factsIn(family, text))
    })
    .map((facts) => [facts.name, facts]),
)

/** Parses `us-east1=bcd us-west1=abc` into the zones of each region. */
const zonesIn = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    text
      .trim()
      .split(' ')
      .map((entry) => {
        const [region = '', letters = ''] = entry.split('=')
        return [region, [...letters].map((letter) => `${region}-${letter}`)]
      }),
  )

const zonesByRegion = zonesIn(ZONES)

const zonesByType: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map(
  parseLines(ZONES_OF_TYPES).flatMap((line) => {
    const [zones = '', types = ''] = line.split(': ')
    const parsed = zonesIn(zones)
    return types.split(' ').map((name) => [name, parsed] as const)
  }),
)

/**
 * Returns the zones of a region that have the instance type. Newer types are missing from the table, so the function returns all zones of
 * the region for them.
 */
export const zonesOfType = (name: string, region: string): readonly string[] =>
  zonesByType.get(name)?.get(region) ?? zonesByRegion.get(region) ?? []
