import type { Milliseconds } from '@kerf/apis'
import { type Controller, mapLimit, retryAfter, type Source } from '@kerf/runtime'

export interface OrphanCollectionOptions<Resource> {
  /** The controller's name, e.g. `instanceprofile.garbagecollection`. */
  readonly name: string
  /** The informers that `usage` reads. The first round waits until they have listed their objects. */
  readonly sources: readonly Source[]
  /** The pause between two rounds. */
  readonly interval: Milliseconds
  /** The number of concurrent deletions. */
  readonly concurrency: number
  /** Lists all resources of the kind that were created for this cluster. If the call fails, nothing is deleted. */
  readonly list: (signal: AbortSignal) => Promise<readonly Resource[]>
  readonly keyOf: (resource: Resource) => string
  /** Returns a function that determines whether a resource is in use. Called after the cloud was listed. */
  readonly usage: () => (resource: Resource) => boolean
  /** Deletes one resource. May be called several times for the same resource. A missing resource is not an error. */
  readonly delete: (resource: Resource, signal: AbortSignal) => Promise<void>
}

/**
 * Deletes cloud resources that are unused, such as those created for a node class. A resource is deleted only if it was also unused in the
 * previous round. Otherwise, the first round after a start could delete a resource that was just created, or that belongs to a launch whose
 * NodeClaim does not refer to it yet. If a deletion fails, the other deletions continue, the error is thrown, and the deletion is retried.
 */
export const orphanCollection = <Resource>(options: OrphanCollectionOptions<Resource>): Controller => {
  const { name, sources, interval, concurrency, list, keyOf, usage } = options
  let unusedBefore: ReadonlySet<string> = new Set()
  return {
    ...{ name, sources, concurrency: 1, singleton: true },
    backoff: { base: 1_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      const made = await list(signal)
      const isUsed = usage()
      const unused = made.filter((resource) => !isUsed(resource))
      const orphans = unused.filter((resource) => unusedBefore.has(keyOf(resource)))
      unusedBefore = new Set(unused.map(keyOf))
      await mapLimit(orphans, concurrency, (resource, inner) => options.delete(resource, inner), signal)
      return retryAfter(interval)
    },
  }
}
