import { groupVersion, type KubeObject, kinds, type PersistentVolumeClaim, type StorageClass } from '@kerf/apis'

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class'

const isClaim = (object: KubeObject): object is PersistentVolumeClaim =>
  object.kind === kinds.PersistentVolumeClaim.kind && object.apiVersion === groupVersion(kinds.PersistentVolumeClaim)

const isClass = (object: KubeObject): object is StorageClass => object.kind === kinds.StorageClass.kind

/** The name for the default StorageClass if its real name is unknown. */
const UNNAMED = 'the default class'

export interface AssumedStorage<T> {
  readonly items: readonly T[]
  /** The StorageClasses whose existence was assumed. */
  readonly classes: readonly StorageClass[]
}

/**
 * Sets the default StorageClass on PersistentVolumeClaims without a class, as the API server does. If the files contain no StorageClass,
 * assumes that every StorageClass to which a claim refers exists and creates volumes in the zone of the pod. If the files contain a
 * StorageClass, assumes no other class.
 */
export const assumeStorage = <T extends { readonly object: KubeObject }>(items: readonly T[]): AssumedStorage<T> => {
  const classes = items.map(({ object }) => object).filter(isClass)
  const byDefault = classes.find(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true')?.metadata.name
  const isUnknown = classes.length === 0
  const assumed = new Map<string, StorageClass>()
  const completed = items.map((item) => {
    const { object } = item
    if (!isClaim(object) || (object.spec.volumeName ?? '') !== '' || object.metadata.uid !== undefined) return item
    const name = object.spec.storageClassName ?? byDefault ?? (isUnknown ? UNNAMED : undefined)
    if (name === undefined || name === '') return item
    if (isUnknown)
      assumed.set(name, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name },
        provisioner: '',
        volumeBindingMode: 'WaitForFirstConsumer',
      })
    return { ...item, object: { ...object, spec: { ...object.spec, storageClassName: name } } }
  })
  return { items: completed, classes: [...assumed.values()] }
}
