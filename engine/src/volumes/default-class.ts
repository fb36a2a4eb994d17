import type { StorageClass } from '@kerf/apis'

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class'

/**
 * The class of claims that name none: the newest that is marked as the default, by name among those of one age
 * (`docs/spec/scheduling.md#volumes`).
 */
export const defaultStorageClass = (classes: readonly StorageClass[]): StorageClass | undefined => {
  const defaults = classes.filter(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true')
  const [newest] = defaults.toSorted((a, b) => {
    const [left, right] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '']
    return left === right ? (a.metadata.name < b.metadata.name ? -1 : 1) : left < right ? 1 : -1
  })
  return newest
}
