import type { KubeObject, ResourceKind } from '@kerf/apis'
import type { Key } from '../key.ts'

export interface Change<T> {
  readonly before?: T
  readonly after?: T
}

/**
 * A local mirror of one kind, maintained by list and watch. Reads are served from memory. Objects are frozen and have no
 * `managedFields`. The mirror may lag behind the server but never goes back: while the uid of an object stays, its resourceVersion only
 * grows.
 */
export interface Informer<T extends KubeObject = KubeObject> {
  /** Resolves after the first list was applied. Rejects when aborted. */
  synced(signal?: AbortSignal): Promise<void>
  readonly hasSynced: boolean
  get(key: Key): T | undefined
  /** Objects in no particular order. The iterable is live: copy it before you await. */
  values(): Iterable<T>
  readonly size: number
  /** Returns the objects under `value` in the index `name`, which must have been registered with `index`. */
  by(name: string, value: string): readonly T[]
  /**
   * Registers an index before or after the start. `valuesOf` must be pure. Registering the same function under the same name again is free.
   */
  index(name: string, valuesOf: (object: T) => Iterable<string>): void
  /**
   * Calls the listener once per change in order, after the mirror has changed, and once for each object that is present at registration.
   * Returns a function that unregisters it.
   */
  onChange(listener: (change: Change<T>) => void): () => void
}

/** Provides one shared informer for each kind. */
export interface InformerFactory {
  of<T extends KubeObject>(kind: ResourceKind<T>): Informer<T>
  /**
   * Returns the informer of a kind that its caller can work without if the permission to list and watch is missing. Readiness does not
   * wait for it, and a refusal is logged once. If any caller requests the kind with `of`, it becomes required.
   */
  optional<T extends KubeObject>(kind: ResourceKind<T>): Informer<T>
}
