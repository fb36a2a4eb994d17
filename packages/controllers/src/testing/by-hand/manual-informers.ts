import { groupVersion, type KubeObject, type ResourceKind } from '@kerf/apis'
import { type Change, type Informer, type InformerFactory, informerKey, type Key } from '@kerf/runtime'

class ManualInformer<T extends KubeObject> implements Informer<T> {
  readonly hasSynced = true
  readonly isRefused = false
  readonly #objects = new Map<Key, T>()
  readonly #indexes = new Map<string, (object: T) => Iterable<string>>()
  readonly #listeners = new Set<(change: Change<T>) => void>()

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
    const valuesOf = this.#indexes.get(name)
    if (valuesOf === undefined) throw new Error(`there is no index ${name}`)
    return [...this.#objects.values()].filter((object) => [...valuesOf(object)].includes(value))
  }

  index(name: string, valuesOf: (object: T) => Iterable<string>): void {
    const known = this.#indexes.get(name)
    if (known !== undefined && known !== valuesOf) throw new Error(`index ${name} is there already`)
    this.#indexes.set(name, valuesOf)
  }

  onChange(listener: (change: Change<T>) => void): () => void {
    for (const after of this.#objects.values()) listener({ after })
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  put(after: T): void {
    const before = this.#objects.get(informerKey(after))
    this.#objects.set(informerKey(after), after)
    this.#report(before === undefined ? { after } : { before, after })
  }

  delete(key: Key): void {
    const before = this.#objects.get(key)
    if (before === undefined || !this.#objects.delete(key)) return
    this.#report({ before })
  }

  #report(change: Change<T>): void {
    for (const listener of [...this.#listeners]) listener(change)
  }
}

/** Informers that contain only the objects that a test puts into them. The test therefore controls the order and delay of changes. */
export class ManualInformers implements InformerFactory {
  readonly #informers = new Map<string, ManualInformer<KubeObject>>()

  of<T extends KubeObject>(kind: ResourceKind<T>): ManualInformer<T> {
    const name = `${groupVersion(kind)}/${kind.kind}`
    let informer = this.#informers.get(name)
    if (informer === undefined) {
      informer = new ManualInformer()
      this.#informers.set(name, informer)
    }
    // The key of the map is the name of the resource kind, which determines the type of the informer.
    return informer as unknown as ManualInformer<T>
  }

  optional<T extends KubeObject>(kind: ResourceKind<T>): ManualInformer<T> {
    return this.of(kind)
  }

  put<T extends KubeObject>(kind: ResourceKind<T>, ...objects: readonly NoInfer<T>[]): void {
    for (const object of objects) this.of(kind).put(object)
  }

  delete<T extends KubeObject>(kind: ResourceKind<T>, key: Key): void {
    this.of(kind).delete(key)
  }
}
