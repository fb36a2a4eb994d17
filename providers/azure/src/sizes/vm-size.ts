import type { ResourceSku, SkuCapability } from '../api/compute-shapes.ts'
import { parseSizeName, type SizeName } from './size-name.ts'

export type DiskPlacement = 'NvmeDisk' | 'CacheDisk' | 'ResourceDisk'

/** A location for an ephemeral OS disk in a VM, and the largest disk size there, in GB. */
export interface EphemeralOsDisk {
  readonly sizeGB: number
  readonly placement: DiskPlacement
}

/** A VM size in one location, with the fields for instance types and launches. */
export interface VmSize {
  /** For example `Standard_D4s_v5`. */
  readonly name: string
  readonly parts: SizeName
  /** The family in the core quota. */
  readonly quotaFamily: string
  readonly vcpus: number
  readonly memoryGiB: number
  readonly gpus: number
  /** The Kubernetes name of the architecture. */
  readonly arch: string
  /** The zones of the location, `1`, `2` and `3`, except those that the subscription cannot use. */
  readonly zones: readonly string[]
  /** The supported Hyper-V generations of images. */
  readonly generations: readonly ('1' | '2')[]
  readonly premiumStorage: boolean
  readonly acceleratedNetworking: boolean
  readonly encryptionAtHost: boolean
  readonly trustedLaunch: boolean
  /** Whether Azure offers the size as spot. */
  readonly spot: boolean
  /** The location of the largest ephemeral OS disk. */
  readonly ephemeralOsDisk?: EphemeralOsDisk
  /** Locations with a smaller ephemeral OS disk. They are preferred if the OS disk fits. */
  readonly smallerOsDisks?: readonly EphemeralOsDisk[]
  /** Zones that earlier answers contained and the last answer did not. Kerf launches nothing in these zones. */
  readonly formerZones?: readonly string[]
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

/** Compares location names, ignoring spaces. */
const isLocation = (text: string | undefined, location: string): boolean =>
  isSame(text?.replaceAll(' ', ''), location.replaceAll(' ', ''))

/** Parses an integer. Undefined for a missing or invalid number. */
const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined

/** Returns the locations for an ephemeral OS disk in the order of preference (`providers/azure/docs/spec/azure.md#ephemeral-os-disk`). */
const ephemeralOsDisksOf = (capabilities: readonly SkuCapability[] | undefined): readonly EphemeralOsDisk[] => {
  if (!has(capabilities, 'EphemeralOSDiskSupported')) return []
  const listed = (capabilityOf(capabilities, 'SupportedEphemeralOSDiskPlacements') ?? '')
    .split(',')
    .map((placement) => placement.trim().toLowerCase())
    .filter((placement) => placement !== '')
  // Older sizes list no placements. They support all except NVMe.
  const isAllowed = (placement: DiskPlacement): boolean =>
    listed.length === 0 ? placement !== 'NvmeDisk' : listed.includes(placement.toLowerCase())
  const amount = (name: string): number => whole(capabilityOf(capabilities, name)) ?? 0
  const disks: readonly (readonly [bytes: number, placement: DiskPlacement])[] = [
    [amount('NvmeDiskSizeInMiB') * MIB, 'NvmeDisk'],
    [amount('CachedDiskBytes'), 'CacheDisk'],
    [amount('MaxResourceVolumeMB') * MIB, 'ResourceDisk'],
  ]
  return disks
    .filter(([bytes, placement]) => bytes >= GB && isAllowed(placement))
    .map(([bytes, placement]) => ({ sizeGB: Math.floor(bytes / GB), placement }))
}

/** Returns the location with the largest disk, and the locations with smaller disks that are preferred over it. */
const largestAndSmaller = (disks: readonly EphemeralOsDisk[]): Pick<VmSize, 'ephemeralOsDisk' | 'smallerOsDisks'> => {
  const most = Math.max(...disks.map(({ sizeGB }) => sizeGB))
  const index = disks.findIndex(({ sizeGB }) => sizeGB === most)
  const largest = disks[index]
  if (largest === undefined) return {}
  return { ephemeralOsDisk: largest, ...(index === 0 ? {} : { smallerOsDisks: disks.slice(0, index) }) }
}

/** Returns the first location that is large enough for the OS disk, or undefined if the disk must be managed. */
export const ephemeralOsDiskFor = (
  { ephemeralOsDisk, smallerOsDisks = [] }: Pick<VmSize, 'ephemeralOsDisk' | 'smallerOsDisks'>,
  osDiskSizeGB: number,
): EphemeralOsDisk | undefined => {
  const disks = ephemeralOsDisk === undefined ? [] : [...smallerOsDisks, ephemeralOsDisk]
  return disks.find(({ sizeGB }) => osDiskSizeGB <= sizeGB)
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

/** Returns true if the subscription cannot use the size anywhere in the location. */
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
 * Converts an entry of the resource SKUs API. Undefined for an entry that is not a VM size, cannot be used in the location, or
 * lacks vCPUs, memory, architecture or a valid name.
 */
export const parseVmSize = (sku: ResourceSku, location: string): VmSize | undefined => {
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
    ...largestAndSmaller(ephemeralOsDisksOf(capabilities)),
    ultraSsd: ultraSsdOf(sku),
  }
}
