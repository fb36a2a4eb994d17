import {
  type KubeObject,
  kinds,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
  type Volume,
} from '@kerf/apis'
import { defaultStorageClass } from '@kerf/engine'
import type { InformerFactory } from '@kerf/runtime'

/** Looks up the storage objects that the volumes of a buffer's pods may refer to. */
export interface StorageLookup {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined
  volume(name: string): PersistentVolume | undefined
  storageClass(name: string): StorageClass | undefined
  /** Returns the default StorageClass. It applies to claims without a StorageClass. */
  defaultClass(): StorageClass | undefined
}

/**
 * A volume that restricts where a replica can run:
 * - `claim`: an existing PersistentVolumeClaim that every replica uses
 * - `class`: a claim of this StorageClass that has no volume yet. If `isShared`, all replicas use the same claim. Otherwise, each replica
 *   has its own claim.
 */
export type KeptVolume =
  | { readonly kind: 'claim'; readonly name: string; readonly claimName: string }
  | { readonly kind: 'class'; readonly name: string; readonly storageClass: StorageClass; readonly isShared: boolean }

/**
 * The volumes that restrict where a replica can run. Alternatively, a sentence about a volume that prevents every pod of the template from
 * running.
 */
export type KeptVolumes = readonly KeptVolume[] | string

const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed'

/** Returns a lookup that reads from the informers. */
export const storageLookup = (informers: InformerFactory): StorageLookup => {
  const claims = informers.of(kinds.PersistentVolumeClaim)
  const volumes = informers.of(kinds.PersistentVolume)
  const classes = informers.of(kinds.StorageClass)
  return {
    claim: (namespace, name) => claims.get(`${namespace}/${name}`),
    volume: (name) => volumes.get(name),
    storageClass: (name) => classes.get(name),
    defaultClass: () => defaultStorageClass([...classes.values()]),
  }
}

/**
 * Returns the StorageClass of a claim without a volume. Undefined if the claim has no class (`storageClassName: ""`). Such a claim can only
 * get a volume that an administrator created, and it is unknown which one before a pod runs.
 */
const claimStorageClass = (
  name: unknown,
  subject: string,
  lookup: StorageLookup,
): StorageClass | string | undefined => {
  if (name === '') return undefined
  if (typeof name !== 'string') {
    const missing = `${subject} names no StorageClass and there is no default; set storageClassName, or mark a StorageClass as the default`
    return lookup.defaultClass() ?? missing
  }
  const missing = `StorageClass ${name} of ${subject} does not exist; create it, or change storageClassName`
  return lookup.storageClass(name) ?? missing
}

const ownClaim = (name: string, className: unknown, subject: string, lookup: StorageLookup): KeptVolumes => {
  const storageClass = claimStorageClass(className, subject, lookup)
  if (typeof storageClass === 'string') return storageClass
  return storageClass === undefined ? [] : [{ kind: 'class', name, storageClass, isShared: false }]
}

const namedClaim = (name: string, claimName: string, namespace: string, lookup: StorageLookup): KeptVolumes => {
  const subject = `PersistentVolumeClaim ${namespace}/${claimName}`
  const claim = lookup.claim(namespace, claimName)
  if (claim === undefined) return `${subject} of volume ${name} does not exist; create it, or change claimName`
  if (claim.metadata.deletionTimestamp !== undefined)
    return `${subject} of volume ${name} is being deleted; create it again`
  if (claim.status?.phase === 'Lost') return `${subject} of volume ${name} has lost its volume; create it again`
  const { volumeName = '', storageClassName } = claim.spec
  if (volumeName !== '' && claim.metadata.annotations?.[BIND_COMPLETED] !== undefined) {
    if (lookup.volume(volumeName) !== undefined) return [{ kind: 'claim', name, claimName }]
    return `PersistentVolume ${volumeName} of ${subject} does not exist; restore it, or create the claim again`
  }
  const storageClass = claimStorageClass(storageClassName, subject, lookup)
  if (typeof storageClass === 'string') return storageClass
  return storageClass === undefined ? [] : [{ kind: 'class', name, storageClass, isShared: true }]
}

const writtenClassName = (spec: unknown): unknown =>
  typeof spec === 'object' && spec !== null && 'storageClassName' in spec ? spec.storageClassName : undefined

/** Returns how one volume of a pod template restricts where the pod can run. Empty for a volume that uses no claim. */
const keptVolume = (volume: Volume, namespace: string, lookup: StorageLookup): KeptVolumes => {
  const { name, persistentVolumeClaim, ephemeral } = volume
  if (persistentVolumeClaim !== undefined) {
    return namedClaim(name, persistentVolumeClaim.claimName, namespace, lookup)
  }
  if (ephemeral === undefined) return []
  return ownClaim(name, writtenClassName(ephemeral.volumeClaimTemplate?.spec), `ephemeral volume ${name}`, lookup)
}

/**
 * Returns how the volumes of a buffer's pods restrict where they can run, as far as this is known without creating objects
 * (`docs/spec/static-pools-buffers-overlays.md#capacity-buffers`). `claimTemplates` are the claim templates of a StatefulSet, which replace
 * volumes of the same name.
 */
export const keptVolumes = (
  volumes: readonly Volume[],
  claimTemplates: readonly KubeObject[],
  namespace: string,
  lookup: StorageLookup,
): KeptVolumes => {
  const kept: KeptVolume[] = []
  const replaced = new Set(claimTemplates.map(({ metadata }) => metadata.name))
  for (const volume of volumes) {
    if (replaced.has(volume.name)) continue
    const found = keptVolume(volume, namespace, lookup)
    if (typeof found === 'string') return found
    kept.push(...found)
  }
  for (const template of claimTemplates) {
    const { name } = template.metadata
    const spec = 'spec' in template ? template.spec : undefined
    const found = ownClaim(name, writtenClassName(spec), `volumeClaimTemplate ${name}`, lookup)
    if (typeof found === 'string') return found
    kept.push(...found)
  }
  return kept
}
