import { type CapacityBuffer, groupVersion, type KubeObject, karpenterKinds, type Pod } from '@kerf/apis'
import type { ClusterSnapshot } from '@kerf/engine'
import { ApiError, FixedInformers, type KubeClient } from '@kerf/runtime'
import { type BufferReplicas, createReplicas, withReplicas } from './buffer-replicas.ts'
import { storageLookup } from './buffer-storage.ts'
import { resolveBuffer } from './resolve.ts'

/** The CapacityBuffers among the given objects. */
export interface PlannedBuffers {
  /** The replicas of the buffers, as pods that exist only in memory. */
  readonly pods: readonly Pod[]
  /** Returns the snapshot with the volumes and device claims of the replicas added. */
  within(snapshot: ClusterSnapshot): ClusterSnapshot
  /** The keys (`namespace/name`) of the buffers whose replicas are included. */
  readonly counted: readonly string[]
  /** One sentence for each of the other buffers, with the reason why it is not included. */
  readonly failed: readonly string[]
}

const objectPlace = ({ metadata }: KubeObject): string => `${metadata.namespace ?? 'default'}/${metadata.name}`

/** Returns a client that reads from the given objects. */
const objectReader = (objects: readonly KubeObject[]): Pick<KubeClient, 'get'> => ({
  get: async (kind, { name, namespace = 'default' }) => {
    const found = objects.findLast(
      (object) =>
        object.kind === kind.kind &&
        object.apiVersion === groupVersion(kind) &&
        object.metadata.name === name &&
        (object.metadata.namespace ?? 'default') === namespace,
    )
    if (found === undefined)
      throw new ApiError({ code: 404, reason: 'NotFound', message: `${kind.plural} "${name}" not found` })
    return found as never
  },
})

const isBuffer = (object: KubeObject): object is CapacityBuffer =>
  object.kind === karpenterKinds.CapacityBuffer.kind &&
  object.apiVersion === groupVersion(karpenterKinds.CapacityBuffer) &&
  object.metadata.deletionTimestamp === undefined

/** Returns the buffer with a UID, because a buffer from a file may lack one. The UIDs of its replicas are derived from this UID. */
const withUid = (buffer: CapacityBuffer): CapacityBuffer => ({
  ...buffer,
  metadata: { ...buffer.metadata, uid: buffer.metadata.uid ?? objectPlace(buffer) },
})

/**
 * Computes the replicas of the CapacityBuffers among the objects (`docs/spec/static-pools-buffers-overlays.md#capacity-buffers`).
 * Does not throw if a buffer is invalid.
 */
export const planBuffers = async (
  objects: readonly KubeObject[],
  ignoresDevices: boolean,
  signal: AbortSignal,
): Promise<PlannedBuffers> => {
  const sources = { client: objectReader(objects), storage: storageLookup(new FixedInformers(objects)), ignoresDevices }
  const replicas: BufferReplicas[] = []
  const counted: string[] = []
  const failed: string[] = []
  for (const buffer of objects.filter(isBuffer).map(withUid)) {
    const place = objectPlace(buffer)
    try {
      const found = await resolveBuffer(sources, buffer, signal)
      if (found.kind === 'failed') failed.push(`CapacityBuffer ${place}: ${found.message}`)
      else {
        counted.push(place)
        replicas.push(createReplicas(buffer, found.shape, found.size))
      }
    } catch (error) {
      failed.push(`CapacityBuffer ${place}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return {
    pods: replicas.flatMap(({ pods }) => pods),
    within: (snapshot) => withReplicas(snapshot, replicas),
    counted,
    failed,
  }
}
