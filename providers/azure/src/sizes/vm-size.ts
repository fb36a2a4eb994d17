import type { ResourceSku, SkuCapability } from '../api/compute-shapes.ts'
import { parseSizeName, type SizeName } from './size-name.ts'

export type DiskPlacement = 'NvmeDisk' | 'CacheDisk' | 'ResourceDisk'

/** A size of VM in one location, as far as instance types and launches need it. */
export interface VmSize {
  /** As `Standard_D4s_v5`. */
  readonly name: string
  readonly parts: SizeName
  /** What the quota of cores counts it under. */
  readonly quotaFamily: string
  readonly vcpus: number
  readonly memoryGiB: number
  readonly gpus: number
  /** As Kubernetes calls it. */
  readonly arch: string
  /** Of the location, without those that the subscription may not use: `1`, `2`, `3`. */
  readonly zones: readonly string[]
  /** Generations of Hyper-V that it starts images of. */
  readonly generations: readonly ('1' | '2')[]
  readonly premiumStorage: boolean
  readonly acceleratedNetworking: boolean
  readonly encryptionAtHost: boolean
  readonly trustedLaunch: boolean
  /** Whether Azure sells it as spot at all. */
  readonly spot: boolean
  /** The largest ephemeral OS disk, in GB. */
  readonly ephemeralOsDisk?: { readonly sizeGB: number; readonly placement: DiskPlacement }
  readonly ultraSsd: { readonly withoutZone: boolean; readonly zones: readonly string[] }
}

const GB = 1_000_000_000
const MIB = 1024 * 1024
const ARCHITECTURES: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['Arm64', 'arm64'],
])

const isSame = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase()

const capabilityOf = (capabilities: readonly SkuCapability[] | undefined, name: string): string | undefined =>
  capabilities?.find((each) => isSame(each.name, name))?.value

const has = (capabilities: readonly SkuCapability[] | undefined, name: string): boolean =>
  isSame(capabilityOf(capabilities, name), 'True')

/** Locations are written with and without spaces. */
const isLocation = (text: string | undefined, location: string): boolean =>
  isSame(text?.replaceAll(' ', ''), location.replaceAll(' ', ''))

/** A whole number; undefined for none and for what is no number. */
const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined

/** The largest ephemeral OS disk. The first disk that the size has counts, not the largest (`docs/spec/azure.md#ephemeral-os-disk`). */
const ephemeralOsDiskOf = (capabilities: readonly SkuCapability[] | undefined): VmSize['ephemeralOsDisk'] => {
  if (!has(capabilities, 'EphemeralOSDiskSupported')) return undefined
  const amount = (name: string): number => whole(capabilityOf(capabilities, name)) ?? 0
  const isNvme = (capabilityOf(capabilities, 'SupportedEphemeralOSDiskPlacements') ?? '')
    .toLowerCase()
    .includes('nvmedisk')
  const disks: readonly (readonly [bytes: number, placement: DiskPlacement])[] = [
    [isNvme ? amount('NvmeDiskSizeInMiB') * MIB : 0, 'NvmeDisk'],
    [amount('CachedDiskBytes'), 'CacheDisk'],
    [amount('MaxResourceVolumeMB') * MIB, 'ResourceDisk'],
  ]
  const [bytes, placement] = disks.find(([size]) => size > 0) ?? []
  if (bytes === undefined || placement === undefined || bytes < GB) return undefined
  return { sizeGB: Math.floor(bytes / GB), placement }
}

const zonesOf = (sku: ResourceSku, location: string): readonly string[] => {
  const zones = new Set<string>()
  for (const info of sku.locationInfo ?? [])
    if (isLocation(info.location, location)) for (const zone of info.zones ?? []) zones.add(zone)
  for (const { type, values, restrictionInfo } of sku.restrictions ?? []) {
    if (type !== 'Zone' || values?.some((value) => isLocation(value, location)) !== true) continue
    for (const zone of restrictionInfo?.zones ?? []) zones.delete(zone)
  }
  return [...zones].sort()
}

/** Whether the subscription may not use the size anywhere in the location. */
const isRestricted = ({ restrictions = [] }: ResourceSku, location: string): boolean =>
  restrictions.some(
    ({ type, values }) => type === 'Location' && values?.some((value) => isLocation(value, location)) === true,
  )

const ultraSsdOf = ({ capabilities, locationInfo = [] }: ResourceSku): VmSize['ultraSsd'] => ({
  withoutZone: has(capabilities, 'UltraSSDAvailable'),
  zones: locationInfo.flatMap(({ zoneDetails = [] }) =>
    zoneDetails.flatMap((details) => (has(details.capabilities, 'UltraSSDAvailable') ? (details.name ?? []) : [])),
  ),
})

/**
 * Reads an entry of the API of resource SKUs. Undefined for what is no size of VM, cannot be used in the location, or does not
 * say what a node needs to be told: vCPUs, memory, architecture, and a name that parses.
 */
export const vmSizeOf = (sku: ResourceSku, location: string): VmSize | undefined => {
  const { name, capabilities, resourceType } = sku
  if (name === undefined || resourceType !== 'virtualMachines' || isRestricted(sku, location)) return undefined
  const parts = parseSizeName(sku.size ?? name.replace(/^Standard_/, ''))
  const vcpus = whole(capabilityOf(capabilities, 'vCPUs'))
  const memoryGiB = Number(capabilityOf(capabilities, 'MemoryGB') ?? Number.NaN)
  const architecture = capabilityOf(capabilities, 'CpuArchitectureType')
  if (parts === undefined || vcpus === undefined || Number.isNaN(memoryGiB) || architecture === undefined)
    return undefined
  const generations = (capabilityOf(capabilities, 'HyperVGenerations') ?? '').toUpperCase()
  const isSecondGeneration = generations.includes('V2')
  const disk = ephemeralOsDiskOf(capabilities)
  return {
    name,
    parts,
    quotaFamily: sku.family ?? '',
    vcpus,
    memoryGiB,
    gpus: whole(capabilityOf(capabilities, 'GPUs')) ?? 0,
    arch: ARCHITECTURES.get(architecture) ?? architecture,
    zones: zonesOf(sku, location),
    generations: [...(generations.includes('V1') ? ['1' as const] : []), ...(isSecondGeneration ? ['2' as const] : [])],
    premiumStorage: has(capabilities, 'PremiumIO'),
    acceleratedNetworking: has(capabilities, 'AcceleratedNetworkingEnabled'),
    encryptionAtHost: has(capabilities, 'EncryptionAtHostSupported'),
    trustedLaunch: isSecondGeneration && !has(capabilities, 'TrustedLaunchDisabled'),
    spot: has(capabilities, 'LowPriorityCapable'),
    ...(disk === undefined ? {} : { ephemeralOsDisk: disk }),
    ultraSsd: ultraSsdOf(sku),
  }
}
