import type { KubeObject } from '@kerf/apis'
import { InvariantError } from '@kerf/apis'
import type { Key } from '../key.ts'
import type { Change } from './informer.ts'
import { informerKey } from './key-of.ts'
import { compareResourceVersions } from './resource-version.ts'

interface Index<T> {
  readonly valuesOf: (object: T) => Iterable<string>
  readonly rows: Map<string, Map<Key, T>>
}

/** Called with the error of a listener, and with the change for which the listener was called. */
export type ListenerFailure<T> = (error: unknown, change: Change<T>) => void

/**
 * Holds the objects of one resource kind by key, with indexes and listeners. One reflector writes them. Each write updates the table and
 * all indexes before any listener is called. If a listener or an index throws, the table and the other listeners and indexes are not
 * affected. If an index throws for an object, the object is missing from that index.
 */
export class Mirror<T extends KubeObject> {
  readonly #objects = new Map<Key, T>()
  readonly #indexes = new Map<string, Index<T>>()
  readonly #listeners = new Set<(change: Change<T>) => void>()
  readonly #onListenerFailure: ListenerFailure<T>

  constructor(onListenerFailure: ListenerFailure<T>) {
    this.#onListenerFailure = onListenerFailure
  }

  get size(): number {
    return this.#objects.size
  }

  get(key: Key): T | undefined {
    return this.#objects.get(key)
  }

  keys(): Iterable<Key> {
    return this.#objects.keys()
  }

  values(): Iterable<T> {
    return this.#objects.values()
  }

  by(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name)
    if (index === undefined) throw new InvariantError(`no index ${name}: register it with index() first`)
    const row = index.rows.get(value)
    return row === undefined ? [] : [...row.values()]
  }

  index(name: string, valuesOf: (object: T) => Iterable<string>): void {
    const known = this.#indexes.get(name)
    if (known !== undefined) {
      if (known.valuesOf === valuesOf) return
      throw new InvariantError(`index ${name} exists already with another function`)
    }
    const index: Index<T> = { valuesOf, rows: new Map() }
    this.#indexes.set(name, index)
    for (const [key, after] of this.#objects) {
      for (const value of this.#valuesOf(index, after, { after })) addTo(index, key, value, after)
    }
  }

  onChange(listener: (change: Change<T>) => void): () => void {
    for (const after of [...this.#objects.values()]) this.#tell(listener, { after })
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Stores the server's current version of an object. Ignores older versions of the same object, so duplicate and late events are
   * harmless. If another object has the same name (with another UID), reports a deletion and then a creation.
   */
  upsert(after: T): void {
    const key = informerKey(after)
    const before = this.#objects.get(key)
    if (before === undefined) {
      this.#write(key, undefined, after)
      return
    }
    const order = compareResourceVersions(before.metadata.resourceVersion ?? '', after.metadata.resourceVersion ?? '')
    if (before.metadata.uid !== after.metadata.uid) {
      // A late event about the previous object of this name must not restore that object.
      if (order > 0) return
      this.#write(key, before, undefined)
      this.#write(key, undefined, after)
      return
    }
    if (order < 0) this.#write(key, before, after)
  }

  /** Removes an object. If `uid` is given, removes the object only if it has that UID. */
  remove(key: Key, uid?: string): void {
    const before = this.#objects.get(key)
    if (before === undefined || (uid !== undefined && before.metadata.uid !== uid)) return
    this.#write(key, before, undefined)
  }

  #write(key: Key, before: T | undefined, after: T | undefined): void {
    if (after === undefined) this.#objects.delete(key)
    else this.#objects.set(key, after)
    const change: Change<T> = { ...(before && { before }), ...(after && { after }) }
    for (const index of this.#indexes.values()) {
      if (before !== undefined) for (const value of this.#valuesOf(index, before)) removeFrom(index, key, value)
      if (after !== undefined) for (const value of this.#valuesOf(index, after, change)) addTo(index, key, value, after)
    }
    for (const listener of this.#listeners) this.#tell(listener, change)
  }

  /**
   * Returns the index values of the object. If the index function throws, returns none, and reports the error with the change if
   * one is given.
   */
  #valuesOf(index: Index<T>, object: T, change?: Change<T>): readonly string[] {
    try {
      return [...index.valuesOf(object)]
    } catch (error) {
      if (change !== undefined) this.#onListenerFailure(error, change)
      return []
    }
  }

  #tell(listener: (change: Change<T>) => void, change: Change<T>): void {
    try {
      listener(change)
    } catch (error) {
      this.#onListenerFailure(error, change)
    }
  }
}

const addTo = <T>({ rows }: Index<T>, key: Key, value: string, object: T): void => {
  const row = rows.get(value)
  if (row === undefined) rows.set(value, new Map([[key, object]]))
  else row.set(key, object)
}

const removeFrom = <T>({ rows }: Index<T>, key: Key, value: string): void => {
  const row = rows.get(value)
  if (row?.delete(key) === true && row.size === 0) rows.delete(value)
}
