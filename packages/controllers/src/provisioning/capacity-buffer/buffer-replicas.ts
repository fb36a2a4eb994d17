import type {
  CapacityBuffer,
  PersistentVolumeClaim,
  Pod,
  ResourceClaimTemplate,
  StorageClass,
  Volume,
} from '@kerf/apis'
import type { ClusterSnapshot } from '@kerf/engine'
import type { KeptVolume } from './buffer-storage.ts'
import { virtualPods } from './virtual-pods.ts'

/** The pod for one replica of a buffer, without an index, and the objects that its volumes and device claims need. */
export interface BufferShape {
  readonly pod: Pod
  readonly volumes: readonly KeptVolume[]
  readonly claimTemplates: readonly ResourceClaimTemplate[]
}

/** The replicas of a buffer as in-memory pods, and the in-memory objects that their volumes and device claims refer to. */
export interface BufferReplicas {
  readonly pods: readonly Pod[]
  readonly persistentVolumeClaims: readonly PersistentVolumeClaim[]
  readonly storageClasses: readonly StorageClass[]
  readonly resourceClaimTemplates: readonly ResourceClaimTemplate[]
}

/** Returns a name that cannot belong to an object in the cluster, because it contains a colon. */
const memoryName = (owner: Pod, name: string): string => `${owner.metadata.name}:${name}`

/**
 * Returns a copy of the StorageClass with the binding mode WaitForFirstConsumer. Replicas never run, so no volume is ever created for them.
 */
const waitingClass = ({ provisioner, allowedTopologies }: StorageClass, name: string): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner,
  volumeBindingMode: 'WaitForFirstConsumer',
  ...(allowedTopologies === undefined ? {} : { allowedTopologies }),
})

const memoryClaim = (namespace: string, name: string, storageClassName: string): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace },
  spec: { storageClassName },
})

const withTemplates = (pod: Pod, templates: readonly ResourceClaimTemplate[]): Pod => {
  const known = new Set(templates.map(({ metadata }) => metadata.name))
  const { resourceClaims } = pod.spec
  if (known.size === 0 || resourceClaims === undefined) return pod
  const renamed = resourceClaims.map((claim) => {
    const { resourceClaimTemplateName: name } = claim
    return name === undefined || !known.has(name)
      ? claim
      : { ...claim, resourceClaimTemplateName: memoryName(pod, name) }
  })
  return { ...pod, spec: { ...pod.spec, resourceClaims: renamed } }
}

/** Returns the replicas of a buffer, including the volumes and device claims that restrict where they can run. */
export const createReplicas = (buffer: CapacityBuffer, shape: BufferShape, count: number): BufferReplicas => {
  const { pod, volumes, claimTemplates } = shape
  const { namespace = 'default' } = pod.metadata
  const claims = new Map<string, PersistentVolumeClaim>()
  const classes = new Map<string, StorageClass>()
  const replicaVolume = (replica: Pod, kept: KeptVolume): Volume => {
    if (kept.kind === 'claim') return { name: kept.name, persistentVolumeClaim: { claimName: kept.claimName } }
    const className = `${namespace}:${memoryName(pod, kept.name)}`
    classes.set(className, waitingClass(kept.storageClass, className))
    const claimName = memoryName(kept.isShared ? pod : replica, kept.name)
    claims.set(claimName, memoryClaim(namespace, claimName, className))
    return { name: kept.name, persistentVolumeClaim: { claimName } }
  }
  const pods = virtualPods(buffer, withTemplates(pod, claimTemplates), count).map((replica) => {
    if (volumes.length === 0) return replica
    const own = [...(replica.spec.volumes ?? []), ...volumes.map((kept) => replicaVolume(replica, kept))]
    return Object.freeze({ ...replica, spec: { ...replica.spec, volumes: own } })
  })
  return {
    pods,
    persistentVolumeClaims: [...claims.values()],
    storageClasses: [...classes.values()],
    resourceClaimTemplates: claimTemplates.map((template) => ({
      ...template,
      metadata: { ...template.metadata, name: memoryName(pod, template.metadata.name) },
    })),
  }
}

/** Returns the snapshot with the objects of the replicas added. Returns the same snapshot if there are no such objects. */
export const withReplicas = (snapshot: ClusterSnapshot, replicas: readonly BufferReplicas[]): ClusterSnapshot => {
  const claims = replicas.flatMap(({ persistentVolumeClaims }) => persistentVolumeClaims)
  const templates = replicas.flatMap(({ resourceClaimTemplates }) => resourceClaimTemplates)
  if (claims.length === 0 && templates.length === 0) return snapshot
  return {
    ...snapshot,
    persistentVolumeClaims: [...snapshot.persistentVolumeClaims, ...claims],
    storageClasses: [...snapshot.storageClasses, ...replicas.flatMap(({ storageClasses }) => storageClasses)],
    resourceClaimTemplates: [...(snapshot.resourceClaimTemplates ?? []), ...templates],
  }
}
