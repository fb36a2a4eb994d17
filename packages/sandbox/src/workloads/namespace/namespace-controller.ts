import { kinds, type Namespace, type ResourceKind } from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  isConflict,
  isNotFound,
  type Key,
  type Outcome,
  retryAfter,
  type Source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { ownSource } from '../../objects/sources.ts'

const FINALIZER = 'kubernetes'
const POLL = 1000

/** Deletes the contents of a namespace that is being deleted, then removes its finalizer. */
export class NamespaceController implements Controller {
  readonly name = 'namespace'
  readonly concurrency = 2
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #namespaces: Informer<Namespace>
  readonly #kinds: () => readonly ResourceKind[]

  /** `contents` returns the namespaced kinds that can currently be listed and deleted. */
  constructor(context: ClusterContext, contents: () => readonly ResourceKind[]) {
    this.#context = context
    this.#kinds = contents
    this.#namespaces = context.informers.of(kinds.Namespace)
    this.sources = [ownSource(context, kinds.Namespace)]
  }

  async reconcile(name: Key): Promise<Outcome> {
    const namespace = this.#namespaces.get(name)
    if (namespace?.metadata.deletionTimestamp === undefined) return done()
    let left = 0
    for (const kind of this.#kinds()) left += await this.#empty(kind, name)
    if (left > 0) return retryAfter(POLL)
    try {
      const latest = await this.#context.client.get(kinds.Namespace, { name })
      const finalizers = (latest.spec?.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER)
      await this.#context.client.update(
        kinds.Namespace,
        { ...latest, spec: { ...latest.spec, finalizers } },
        { subresource: 'finalize' },
      )
    } catch (error) {
      if (isConflict(error)) return retryAfter(POLL)
      if (!isNotFound(error)) throw error
    }
    return done()
  }

  /** Deletes all objects of a kind and returns how many remain. */
  async #empty(kind: ResourceKind, namespace: string): Promise<number> {
    const { items } = await this.#context.client.list(kind, { namespace })
    let left = 0
    for (const object of items) {
      left++
      if (object.metadata.deletionTimestamp !== undefined) continue
      try {
        const ref = { namespace, name: object.metadata.name }
        await this.#context.client.delete(kind, ref, { propagationPolicy: 'Background' })
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
    return left
  }
}
