import type { KubeObject, ResourceKind } from '@kerf/apis'
import type { Key } from '../key.ts'

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
  of<T extends KubeObject>(kind: ResourceKind<T>): Informer<T>
  /**
   * The informer of a kind that its caller can do without, for want of the right to list and watch it: readiness does
   * not wait for it, and a refusal is said once. It is needed as soon as anybody asks for it with `of`.
   */
  optional<T extends KubeObject>(kind: ResourceKind<T>): Informer<T>
}
