import type { RegionState } from '../hypervisors/region-state.ts'

/** A hypervisor on which a template will be created. */
export interface TemplatePlace {
  readonly region: string
  readonly zone: string
  /** The storage of the disk image. */
  readonly imageStorage: string
  /** The storage of the disks. */
  readonly diskStorage: string
}

/**
 * Returns the hypervisors with both storages of a template: the first storage with content type `import`, and the first with `images`. If
 * hypervisors share these storages, only one of them gets the template. Returns a phrase if a storage is missing.
 */
export const templatePlaces = (
  region: string,
  { hypervisors, storages }: Pick<RegionState, 'hypervisors' | 'storages'>,
  storageIDs: readonly string[],
): readonly TemplatePlace[] | string => {
  const first = (content: string): string | undefined =>
    storageIDs.find((name) => storages.some((each) => each.name === name && each.contents.includes(content)))
  const [imageStorage, diskStorage] = [first('import'), first('images')]
  const lacking = (content: string): string =>
    `no storage of spec.storageIDs (${storageIDs.join(', ')}) has the content type ${content}; turn it on in Proxmox, or add a storage`
  if (imageStorage === undefined) return lacking('import')
  if (diskStorage === undefined) return lacking('images')
  const has = (zone: string, name: string): boolean =>
    storages.some((each) => each.node === zone && each.name === name && each.isAvailable)
  const zones = hypervisors
    .filter(({ isOnline }) => isOnline)
    .map(({ name }) => name)
    .filter((zone) => has(zone, imageStorage) && has(zone, diskStorage))
    .toSorted()
  const isShared = storages.some(({ name, isShared: shared }) => name === diskStorage && shared)
  const used = isShared ? zones.slice(0, 1) : zones
  return used.length === 0
    ? `no hypervisor has both storages ${imageStorage} and ${diskStorage}`
    : used.map((zone) => ({ region, zone, imageStorage, diskStorage }))
}
