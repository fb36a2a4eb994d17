import { apiVersionOf, type KubeObject, kinds, type PersistentVolumeClaim, type StorageClass } from '@kerf/apis'

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class'

const isClaim = (object: KubeObject): object is PersistentVolumeClaim =>
  object.kind === kinds.PersistentVolumeClaim.kind && object.apiVersion === apiVersionOf(kinds.PersistentVolumeClaim)

const isClass = (object: KubeObject): object is StorageClass => object.kind === kinds.StorageClass.kind

/** The name of the default class if it is unknown. */
const UNNAMED = 'the default class'

export interface AssumedStorage<T> {
  readonly items: readonly T[]
  /** The StorageClasses that were assumed. */
  readonly classes: readonly StorageClass[]
}

/**
 * Sets the default class on claims without a class, as the API server does. If the files contain no StorageClass, each named class is
 * assumed to create volumes where the pod runs. If they contain classes, a missing class stays missing.
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
