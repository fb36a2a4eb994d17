import type { KubeObject } from '@kerf/apis'
import type { Key } from '../key.ts'
import type { Change } from './informer.ts'
import { keyOf } from './key-of.ts'
import { compareResourceVersions } from './resource-version.ts'

interface Index<T> {
  readonly valuesOf: (object: T) => Iterable<string>
  readonly rows: Map<string, Map<Key, T>>
}

/** What a listener threw, with the change that it was called for. */
export type ListenerFailure<T> = (error: unknown, change: Change<T>) => void

/**
 * Objects of one kind by key, with indexes and listeners. Writes come from one reflector; each is applied to the table
 * and all indexes before the first listener hears of it. A listener or an index that throws disturbs neither the
 * table nor the rest: an object that cannot be indexed is in no row of that index.
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
    if (index === undefined) throw new Error(`no index ${name}: register it with index() first`)
    const row = index.rows.get(value)
    return row === undefined ? [] : [...row.values()]
  }

  index(name: string, valuesOf: (object: T) => Iterable<string>): void {
    const known = this.#indexes.get(name)
    if (known !== undefined) {
      if (known.valuesOf === valuesOf) return
      throw new Error(`index ${name} exists already with another function`)
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
   * Takes over an object as the server has it now. Older versions of the same object are ignored, so doubled and late
   * events do no harm. Another uid under the same name is a deletion followed by a creation.
   */
  upsert(after: T): void {
    const key = keyOf(after)
    const before = this.#objects.get(key)
    if (before === undefined) {
      this.#write(key, undefined, after)
      return
    }
    const order = compareResourceVersions(before.metadata.resourceVersion ?? '', after.metadata.resourceVersion ?? '')
    if (before.metadata.uid !== after.metadata.uid) {
      // A late event about the predecessor must not bring it back.
      if (order > 0) return
      this.#write(key, before, undefined)
      this.#write(key, undefined, after)
      return
    }
    if (order < 0) this.#write(key, before, after)
  }

  /** Forgets an object; with `uid` given, only that very one. */
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

  /** In which rows the object is; in none if the index throws, which is reported with the change where one is given. */
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
