import type { KubeObject, ResourceKind } from '@kerf/apis'
import type { Key } from '../key.ts'

export interface Change<T> {
  readonly before?: T
  readonly after?: T
}

/**
 * A copy of one resource kind in memory, kept up to date by list and watch. Reads are served from memory. Objects are frozen and have no
 * `managedFields`. The copy may lag behind the server but never goes back: as long as the UID of an object is the same, its resourceVersion
 * only increases.
 */
export interface Informer<T extends KubeObject = KubeObject> {
  /** Resolves when the first list has been applied. Rejects when aborted. */
  synced(signal?: AbortSignal): Promise<void>
  readonly hasSynced: boolean
  /**
   * Whether the API server refuses to list or watch an optional resource kind (403), or does not serve it (404). The copy is then empty or
   * out of date.
   */
  readonly isRefused: boolean
  /** Calls the listener after each change of `isRefused`. Returns a function that removes the listener. */
  onRefusal(listener: () => void): () => void
  get(key: Key): T | undefined
  /** The objects, in no particular order. The iterable is live, so copy it before you await. */
  values(): Iterable<T>
  readonly size: number
  /** Returns the objects with `value` in the index `name`. The index must have been registered with `index`. */
  by(name: string, value: string): readonly T[]
  /**
   * Registers an index, before or after the start. `valuesOf` must be pure. Registering the same function under the same name again
   * does nothing.
   */
  index(name: string, valuesOf: (object: T) => Iterable<string>): void
  /**
   * Calls the listener once for each object that is present at registration, and then once for each change, in order and after the
   * change is applied. Returns a function that removes the listener.
   */
  onChange(listener: (change: Change<T>) => void): () => void
}

/** Provides one shared informer for each resource kind. */
export interface InformerFactory {
  of<T extends KubeObject>(kind: ResourceKind<T>): Informer<T>
  /**
   * Returns the informer of a resource kind that the caller can work without. If the permission to list and watch the kind is missing, or
   * the kind is not installed, Kerf logs this once, and becomes ready without the kind. If any caller requests the kind with `of`, the kind
   * becomes required.
   */
  optional<T extends KubeObject>(kind: ResourceKind<T>): Informer<T>
}
