import type { StorageClass } from '@kerf/apis'

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class'

/**
 * Returns the StorageClass for PersistentVolumeClaims that do not specify one: the newest class that is marked as default, or the first by
 * name if several have the same age (`docs/spec/scheduling.md#volumes`).
 */
export const defaultStorageClass = (classes: readonly StorageClass[]): StorageClass | undefined => {
  const defaults = classes.filter(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true')
  const [newest] = defaults.toSorted((a, b) => {
    const [left, right] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '']
    return left === right ? (a.metadata.name < b.metadata.name ? -1 : 1) : left < right ? 1 : -1
  })
  return newest
}
