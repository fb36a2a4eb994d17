import type { Milliseconds } from '@kerf/apis'
import { type Controller, mapLimit, retryAfter, type Source } from '@kerf/runtime'

export interface OrphanCollectionOptions<Resource> {
  /** The controller's name, e.g. `instanceprofile.garbagecollection`. */
  readonly name: string
  /** What `usage` reads; the first round waits until it was seen. */
  readonly sources: readonly Source[]
  /** Pause between two rounds. */
  readonly interval: Milliseconds
  /** How many are deleted at the same time. */
  readonly concurrency: number
  /** Every resource of the kind that was made for this cluster; a call that fails deletes nothing. */
  readonly list: (signal: AbortSignal) => Promise<readonly Resource[]>
  readonly keyOf: (resource: Resource) => string
  /** What is in use now, as a question. Asked for after the cloud was listed. */
  readonly usage: () => (resource: Resource) => boolean
  /** Deletes one; may be repeated, and one that is not there is fine. */
  readonly delete: (resource: Resource, signal: AbortSignal) => Promise<void>
}

/**
 * Deletes resources of the cloud that nothing uses any more, such as those that were made for a node class. Only those
 * that nothing used in the round before either: after a start nobody remembers which ones were just made, or belong to a
 * launch whose NodeClaim does not name its resource yet. One that cannot be deleted keeps none of the others; its error is
 * thrown, and it is tried again.
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
