import type { CapacityBuffer, ResourceKind } from '@kerf/apis'
import { type Change, type Informer, type InformerFactory, informerKey, type Key } from '@kerf/runtime'
import { type Scalable, scalableKind } from './scalable-kinds.ts'

const BY_SCALABLE = 'scalable'

const scalableKeys = ({ metadata, spec: { scalableRef } }: CapacityBuffer): readonly string[] => {
  const kind = scalableRef === undefined ? undefined : scalableKind(scalableRef)
  if (scalableRef === undefined || kind === undefined) return []
  return [`${kind.kind}/${metadata.namespace ?? 'default'}/${scalableRef.name}`]
}

/** Returns whether a change may affect buffers. Ignores the status of a workload, which changes with every pod. */
const isNews = ({ before, after }: Change<Scalable>): boolean =>
  before === undefined || after === undefined || before.metadata.generation !== after.metadata.generation

/**
 * Watches the workloads that buffers refer to, so that a buffer is reconciled when its workload is created, scaled or deleted. A resource
 * kind is listed and watched only after a buffer refers to it, because in most clusters no buffer does. If Kerf has no permission to watch
 * the kind, buffers that refer to it are reconciled periodically.
 */
export class ScalableWatch {
  readonly #buffers: Informer<CapacityBuffer>
  readonly #informers: InformerFactory
  readonly #followed = new Map<ResourceKind, () => void>()
  #enqueue: ((buffer: Key) => void) | undefined

  constructor(informers: InformerFactory, buffers: Informer<CapacityBuffer>) {
    this.#informers = informers
    this.#buffers = buffers
    buffers.index(BY_SCALABLE, scalableKeys)
  }

  /** Calls `enqueue` for the buffers whose workload has changed. Returns a function that unsubscribes. */
  subscribe(enqueue: (buffer: Key) => void): () => void {
    this.#enqueue = enqueue
    return () => {
      this.#enqueue = undefined
      for (const stop of this.#followed.values()) stop()
      this.#followed.clear()
    }
  }

  /** Starts to watch the resource kind of the workload that the buffer refers to. */
  follow({ spec: { scalableRef } }: CapacityBuffer): void {
    const kind = scalableRef === undefined ? undefined : scalableKind(scalableRef)
    if (kind === undefined || this.#enqueue === undefined || this.#followed.has(kind)) return
    const stop = this.#informers.optional(kind).onChange((change) => {
      const either = change.after ?? change.before
      if (either === undefined || !isNews(change)) return
      for (const buffer of this.#buffers.by(BY_SCALABLE, `${kind.kind}/${informerKey(either)}`))
        this.#enqueue?.(informerKey(buffer))
    })
    this.#followed.set(kind, stop)
  }
}
