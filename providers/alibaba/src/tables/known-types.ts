import { ownValue } from '@kerf/apis'
import type { EcsType } from '../ecs-types/ecs-type.ts'
import table from './instance-types.json' with { type: 'json' }

/** NVIDIA GPU families, with and without virtualisation, whose GPU model is missing from the table. */
const NVIDIA = /^ecs\.(?:ebm|scc|s|v)?gn/

const amount = (text: string | undefined): number | undefined =>
  text === undefined || text === '' ? undefined : Number(text)

const typeFrom = (family: string, entry: string): EcsType => {
  const [size = '', fields = ''] = entry.split('=')
  const [vcpus, memoryGiB, enis, ipsPerEni, gpus] = fields.split('/').map(amount)
  const model = ownValue<string>(table.gpuModels, family) ?? (NVIDIA.test(family) ? 'NVIDIA' : undefined)
  return {
    name: `${family}.${size}`,
    vcpus: vcpus ?? 0,
    memoryGiB: memoryGiB ?? 0,
    arch: table.armFamilies.includes(family) ? 'arm64' : 'amd64',
    ...(enis === undefined ? {} : { enis }),
    ...(ipsPerEni === undefined ? {} : { ipsPerEni }),
    ...(gpus === undefined ? {} : { gpus: { count: gpus, ...(model === undefined ? {} : { model }) } }),
  }
}

/**
 * Returns Kerf's built-in instance types, by name. The data dates from July 2021 and October 2024 (`instance-types.json` lists the
 * sources), so newer types are missing.
 */
export const knownTypes = (): ReadonlyMap<string, EcsType> =>
  new Map(
    Object.entries(table.families)
      .flatMap(([family, entries]) => entries.split(' ').map((entry) => typeFrom(family, entry)))
      .map((type) => [type.name, type]),
  )

/** Returns the zones of a region in Kerf's tables, with the API's zone names. Returns an empty list for any other region. */
export const knownZones = (region: string): readonly string[] => {
  const letters = ownValue<string>(table.regions, region) ?? ''
  return [...letters].map((letter) => (region.startsWith('cn-') ? `${region}-${letter}` : `${region}${letter}`))
}

/** The regions in Kerf's tables, sorted. */
export const knownRegions: readonly string[] = Object.keys(table.regions).toSorted()
