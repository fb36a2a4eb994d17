import { apiVersionOf, type KubeObject, type ResourceKind } from '@kerf/apis'

/** Objects of a cluster by their kind, in the order in which they were read. */
export class ObjectsByKind {
  readonly #byKind = new Map<string, KubeObject[]>()
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
    return (this.#byKind.get(`${apiVersionOf(kind)}/${kind.kind}`) ?? []) as readonly KubeObject[] as readonly T[]
  }

  /** Of any API group and version. */
  named(kind: string): readonly KubeObject[] {
    return this.all.filter((object) => object.kind === kind)
  }
}
