import { ownValue } from '@kerf/apis'
import type { EcsType } from '../ecs-types/ecs-type.ts'
import table from './instance-types.json' with { type: 'json' }

/** Families of NVIDIA GPUs, with and without virtualisation, whose model the table does not name. */
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
 * Returns the instance types that come with Kerf, by name. The data dates from July 2021 and October 2024
 * (`instance-types.json` names the sources), so newer types are missing.
 */
export const knownTypes = (): ReadonlyMap<string, EcsType> =>
  new Map(
    Object.entries(table.families)
      .flatMap(([family, entries]) => entries.split(' ').map((entry) => typeFrom(family, entry)))
      .map((type) => [type.name, type]),
  )

/** Returns the zones of a region that comes with Kerf, in the form in which the API names them. Empty for any other region. */
export const knownZones = (region: string): readonly string[] => {
  const letters = ownValue<string>(table.regions, region) ?? ''
  return [...letters].map((letter) => (region.startsWith('cn-') ? `${region}-${letter}` : `${region}${letter}`))
}

/** The regions that come with Kerf, in order. */
export const knownRegions: readonly string[] = Object.keys(table.regions).toSorted()
