import type { RegionState } from '../hypervisors/region-state.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import type { TemplateFacts } from '../templates/template-facts.ts'

/** A hypervisor on which instances of a node class can be launched. */
export interface Place {
  readonly region: string
  /** The hypervisor. */
  readonly zone: string
  readonly template: TemplateFacts
  /** The storage of the boot disk. */
  readonly storage: string
  /** The storage for cloud-init disks, if the hypervisor has one. */
  readonly isoStorage: string | undefined
  /** The used fraction of the hypervisor's CPUs. */
  readonly load: number
}

/** Returns a key that identifies a hypervisor across all regions. */
export const placeKey = ({ region, zone }: Pick<Place, 'region' | 'zone'>): string => `${region}/${zone}`

/** Returns the storage of the boot disks of a class on a hypervisor. */
export const diskStorage = ({ spec }: Pick<ProxmoxNodeClass, 'spec'>, template: TemplateFacts): string => {
  const { storage = '' } = spec?.bootDevice ?? {}
  return storage === '' ? template.bootDisk.storage : storage
}

/**
 * Returns the reason why a storage cannot store another boot disk, or undefined if it can. A clone uses at most the size of the template's
 * disk. Thin-provisioned storages need less, and need no space to enlarge a disk.
 */
export const storageProblem = (
  { storages }: Pick<RegionState, 'storages'>,
  { zone, storage: name, template }: Pick<Place, 'zone' | 'storage' | 'template'>,
): string | undefined => {
  const storage = storages.find((each) => each.name === name && each.node === zone)
  if (storage === undefined) return `storage ${name} does not exist there`
  if (!storage.contents.includes('images')) return `storage ${name} does not take disk images`
  if (!storage.isAvailable) return `storage ${name} is not available`
  return storage.free < template.bootDisk.size ? `storage ${name} is full` : undefined
}

/** Returns the storage for ISO files on a hypervisor: the first one by name. Returns undefined if there is none. */
export const isoStorage = ({ storages }: Pick<RegionState, 'storages'>, zone: string): string | undefined =>
  storages
    .filter(({ node, contents, isAvailable }) => node === zone && isAvailable && contents.includes('iso'))
    .map(({ name }) => name)
    .toSorted()[0]
