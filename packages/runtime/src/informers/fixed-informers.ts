import { groupVersion, InvariantError, type KubeObject, type ResourceKind } from '@kerf/apis'
import type { Key } from '../key.ts'
import type { Informer, InformerFactory } from './informer.ts'
import { informerKey } from './key-of.ts'

/** An informer of one resource kind, whose objects never change. */
class FixedInformer<T extends KubeObject> implements Informer<T> {
  readonly hasSynced = true
  readonly isRefused = false
  readonly #objects: ReadonlyMap<Key, T>
  readonly #indexes = new Map<string, ReadonlyMap<string, readonly T[]>>()

  constructor(objects: readonly T[]) {
    this.#objects = new Map(objects.map((object) => [informerKey(object), object]))
  }

  async synced(): Promise<void> {}

  onRefusal(): () => void {
    return () => {}
  }

  get(key: Key): T | undefined {
    return this.#objects.get(key)
  }

  values(): Iterable<T> {
    return this.#objects.values()
  }

  get size(): number {
    return this.#objects.size
  }

  by(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name)
    if (index === undefined) throw new InvariantError(`there is no index ${name}`)
    return index.get(value) ?? []
  }

  index(name: string, valuesOf: (object: T) => Iterable<string>): void {
    const index = new Map<string, T[]>()
    for (const object of this.#objects.values()) {
      for (const value of valuesOf(object)) {
        const known = index.get(value)
        if (known === undefined) index.set(value, [object])
        else known.push(object)
      }
    }
    this.#indexes.set(name, index)
  }

  onChange(listener: (change: { readonly after: T }) => void): () => void {
    for (const after of this.#objects.values()) listener({ after })
    return () => {}
  }
}

/**
 * Informers with a fixed set of objects: from files, from a recording, or from one listing of a cluster. They are for code that reads a
 * cluster without watching or changing it. If two objects have the same kind and name, the later one is used.
 */
export class FixedInformers implements InformerFactory {
  readonly #objects: ReadonlyMap<string, readonly KubeObject[]>
  readonly #informers = new Map<string, FixedInformer<KubeObject>>()

  constructor(objects: Iterable<KubeObject>) {
    this.#objects = Map.groupBy(objects, ({ apiVersion, kind }) => `${apiVersion}/${kind}`)
  }

  of<T extends KubeObject>(kind: ResourceKind<T>): Informer<T> {
    const name = `${groupVersion(kind)}/${kind.kind}`
    let informer = this.#informers.get(name)
    if (informer === undefined) {
      informer = new FixedInformer(this.#objects.get(name) ?? [])
      this.#informers.set(name, informer)
    }
    // The map is keyed by the name of the resource kind, which determines the type.
    return informer as unknown as Informer<T>
  }

  optional<T extends KubeObject>(kind: ResourceKind<T>): Informer<T> {
    return this.of(kind)
  }
}
