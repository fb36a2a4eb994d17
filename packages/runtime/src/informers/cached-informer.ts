import type { KubeObject } from '@kerf/apis'
import type { Key } from '../key.ts'
import type { Change, Informer } from './informer.ts'
import { informerKey } from './key-of.ts'
import { Mirror } from './mirror.ts'
import { frozen, withoutManagedFields } from './projection.ts'
import { Reflector, type ReflectorOptions } from './reflector.ts'

export type InformerOptions<T extends KubeObject> = Omit<ReflectorOptions<T>, 'project'> & {
  /** Returns the object with only the fields to keep. The informer drops `managedFields` in any case. */
  readonly project?: (object: T) => T
}

/** An informer that lists and watches through a `KubeClient`, from the call of `run` until the signal is aborted. */
export class CachedInformer<T extends KubeObject> implements Informer<T> {
  readonly #mirror: Mirror<T>
  readonly #reflector: Reflector<T>
  readonly #refusalListeners = new Set<() => void>()
  readonly #synced = Promise.withResolvers<void>()
  #hasSynced = false

  constructor(options: InformerOptions<T>) {
    const logger = options.logger
    this.#mirror = new Mirror<T>((error, change) => {
      const object = change.after ?? change.before
      logger.error('listener failed', { kind: options.kind.kind, key: object && informerKey(object), error })
    })
    const trim = options.project ?? withoutManagedFields
    // If `project` throws for an object, the whole object is kept, so that the list and the watch continue.
    const project = (object: T): T => {
      try {
        return frozen(trim(object))
      } catch (error) {
        logger.error('object cannot be read', { kind: options.kind.kind, key: informerKey(object), error })
        return frozen(object)
      }
    }
    this.#reflector = new Reflector({ ...options, project }, this.#mirror, {
      listed: () => {
        this.#hasSynced = true
        this.#synced.resolve()
      },
      refusalChanged: () => {
        for (const listener of this.#refusalListeners) listener()
      },
    })
  }

  /** Lists and watches until aborted. */
  run(signal: AbortSignal): Promise<void> {
    return this.#reflector.run(signal)
  }

  async synced(signal?: AbortSignal): Promise<void> {
    if (this.#hasSynced || signal === undefined) return this.#synced.promise
    signal.throwIfAborted()
    const aborted = Promise.withResolvers<never>()
    const onAbort = (): void => aborted.reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await Promise.race([this.#synced.promise, aborted.promise])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  get hasSynced(): boolean {
    return this.#hasSynced
  }

  get isRefused(): boolean {
    return this.#reflector.isRefused
  }

  onRefusal(listener: () => void): () => void {
    this.#refusalListeners.add(listener)
    return () => this.#refusalListeners.delete(listener)
  }

  get(key: Key): T | undefined {
    return this.#mirror.get(key)
  }

  values(): Iterable<T> {
    return this.#mirror.values()
  }

  get size(): number {
    return this.#mirror.size
  }

  by(name: string, value: string): readonly T[] {
    return this.#mirror.by(name, value)
  }

  index(name: string, valuesOf: (object: T) => Iterable<string>): void {
    this.#mirror.index(name, valuesOf)
  }

  onChange(listener: (change: Change<T>) => void): () => void {
    return this.#mirror.onChange(listener)
  }
}
