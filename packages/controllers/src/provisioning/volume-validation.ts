import {
  kinds,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
  type Volume,
} from '@kerf/apis'
import type { InformerFactory } from '@kerf/runtime'

/** Looks up the storage objects that a pod's volumes refer to, and reports which of them the provider does not support. */
export interface VolumeLookup {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined
  volume(name: string): PersistentVolume | undefined
  storageClass(name: string): StorageClass | undefined
  readonly unsupportedProvisioners: ReadonlySet<string>
  readonly unsupportedTopologyKeys: ReadonlySet<string>
}

const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed'

const podClaimName = (pod: Pod, volume: Volume): string | undefined => {
  if (volume.persistentVolumeClaim !== undefined) return volume.persistentVolumeClaim.claimName
  return volume.ephemeral === undefined ? undefined : `${pod.metadata.name}-${volume.name}`
}

const boundProblem = (claim: PersistentVolumeClaim, volumeName: string, lookup: VolumeLookup): string | undefined => {
  const volume = lookup.volume(volumeName)
  if (volume === undefined) return `its PersistentVolume ${volumeName} does not exist`
  if (volume.metadata.deletionTimestamp !== undefined) return `its PersistentVolume ${volumeName} is being deleted`
  if (claim.metadata.annotations?.[BIND_COMPLETED] === undefined) return `its binding to ${volumeName} is not complete`
  const driver = volume.spec.csi?.driver
  if (driver !== undefined && lookup.unsupportedProvisioners.has(driver)) return `driver ${driver} is not supported`
  return undefined
}

const unboundProblem = (claim: PersistentVolumeClaim, lookup: VolumeLookup): string | undefined => {
  const name = claim.spec.storageClassName ?? ''
  if (name === '') return 'it is unbound and sets no storage class'
  const storageClass = lookup.storageClass(name)
  if (storageClass === undefined) return `its storage class ${name} does not exist`
  if ((storageClass.volumeBindingMode ?? 'Immediate') === 'Immediate') {
    return `it is unbound and its storage class ${name} binds immediately`
  }
  for (const term of storageClass.allowedTopologies ?? []) {
    for (const { key } of term.matchLabelExpressions ?? []) {
      if (lookup.unsupportedTopologyKeys.has(key))
        return `storage class ${name} asks for the unsupported topology ${key}`
    }
  }
  const { provisioner } = storageClass
  return lookup.unsupportedProvisioners.has(provisioner) ? `provisioner ${provisioner} is not supported` : undefined
}

const claimProblem = (claim: PersistentVolumeClaim | undefined, lookup: VolumeLookup): string | undefined => {
  if (claim === undefined) return 'it does not exist'
  if (claim.metadata.deletionTimestamp !== undefined) return 'it is being deleted'
  if (claim.status?.phase === 'Lost') return 'its volume is lost'
  const volumeName = claim.spec.volumeName ?? ''
  return volumeName === '' ? unboundProblem(claim, lookup) : boundProblem(claim, volumeName, lookup)
}

/**
 * Returns the reasons, as sentences, why the pod's volumes cannot be attached to any new node
 * (`docs/spec/scheduling.md#volume-validation`). Empty if there are none.
 */
export const volumeProblems = (pod: Pod, lookup: VolumeLookup): readonly string[] => {
  const problems: string[] = []
  for (const volume of pod.spec.volumes ?? []) {
    const name = podClaimName(pod, volume)
    if (name === undefined) continue
    const problem = claimProblem(lookup.claim(pod.metadata.namespace ?? 'default', name), lookup)
    if (problem !== undefined) problems.push(`persistentvolumeclaim ${name}: ${problem}`)
  }
  return problems
}

/** Returns a lookup that reads from the informers. */
export const volumeLookup = (
  informers: InformerFactory,
  unsupported: { readonly provisioners?: readonly string[]; readonly topologyKeys?: readonly string[] } = {},
): VolumeLookup => {
  const claims = informers.of(kinds.PersistentVolumeClaim)
  const volumes = informers.of(kinds.PersistentVolume)
  const classes = informers.of(kinds.StorageClass)
  return {
    claim: (namespace, name) => claims.get(`${namespace}/${name}`),
    volume: (name) => volumes.get(name),
    storageClass: (name) => classes.get(name),
    unsupportedProvisioners: new Set(unsupported.provisioners),
    unsupportedTopologyKeys: new Set(unsupported.topologyKeys),
  }
}
