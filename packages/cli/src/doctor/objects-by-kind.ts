import { groupVersion, type KubeObject, type ResourceKind } from '@kerf/apis'

/** A result, and the kinds of the objects that were used to compute it. */
export interface Derived<T> {
  readonly result: T
  readonly kinds: ReadonlySet<string>
}

/** The objects of a cluster by kind, in the order in which they were read. Records which kinds were requested. */
export class ObjectsByKind {
  readonly #byKind = new Map<string, KubeObject[]>()
  #asked = new Set<string>()
  readonly all: readonly KubeObject[]

  constructor(objects: readonly KubeObject[]) {
    this.all = objects
    for (const object of objects) {
      const key = `${object.apiVersion}/${object.kind}`
      const known = this.#byKind.get(key)
      if (known === undefined) this.#byKind.set(key, [object])
      else known.push(object)
    }
  }

  of<T extends KubeObject>(kind: ResourceKind<T>): readonly T[] {
    this.#asked.add(kind.kind)
    return (this.#byKind.get(`${groupVersion(kind)}/${kind.kind}`) ?? []) as readonly KubeObject[] as readonly T[]
  }

  /** Returns the objects of a kind from any API group and version. */
  named(kind: string): readonly KubeObject[] {
    this.#asked.add(kind)
    return this.all.filter((object) => object.kind === kind)
  }

  /** Records these resource kinds as requested. Code that uses `all` or a cached result must call this method. */
  ask(kinds: Iterable<string>): void {
    for (const kind of kinds) this.#asked.add(kind)
  }

  /** Returns the result of `work`, and the resource kinds that `work` requested. */
  derive<T>(work: () => T): Derived<T> {
    const outer = this.#asked
    const kinds = new Set<string>()
    this.#asked = kinds
    try {
      return { result: work(), kinds }
    } finally {
      this.#asked = outer
      this.ask(kinds)
    }
  }
}
