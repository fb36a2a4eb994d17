import type { KubeObject } from '@kerf/apis'
import type { Key } from './key.ts'

export interface Change<T> {
  readonly before?: T
  readonly after?: T
}

/**
 * A local mirror of one kind, kept by list and watch. Reads are answered from memory, frozen and without
 * `managedFields`. It may lag behind the server, never go back: an object's resourceVersion only grows while its uid stays.
 */
export interface Informer<T extends KubeObject = KubeObject> {
  /** Resolves once the first list has been applied; rejects when aborted. */
  synced(signal?: AbortSignal): Promise<void>
  readonly hasSynced: boolean
  get(key: Key): T | undefined
  /** In no particular order; the iterable is live, copy it before awaiting. */
  values(): Iterable<T>
  readonly size: number
  /** Objects under `value` in the index `name`, which must have been registered with `index`. */
  by(name: string, value: string): readonly T[]
  /** Registers an index before or after start; `keysOf` must be pure. Registering a name again with the same function is free. */
  index(name: string, valuesOf: (object: T) => Iterable<string>): void
  /** Called after the mirror has changed, once per change, in order. Also called for every object present when registered. Returns the way to stop. */
  onChange(listener: (change: Change<T>) => void): () => void
}

/** Hands out the one shared informer of each kind and runs them. */
export interface InformerFactory {
  of<T extends KubeObject>(kind: import('@kerf/apis').ResourceKind<T>): Informer<T>
}
