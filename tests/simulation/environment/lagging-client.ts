import type { KubeList, KubeObject, Milliseconds, NewObject, ResourceKind } from '@kerf/apis'
import {
  type CallOptions,
  type Clock,
  type DeleteOptions,
  type KubeClient,
  type ListOptions,
  type ObjectRef,
  type Patch,
  sleep,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from '@kerf/runtime'

/**
 * Called before each event of a watch, except bookmarks. If it returns a promise, the watch waits for it. If that promise rejects, the
 * watch ends.
 */
export type EventGate = (kind: ResourceKind, signal: AbortSignal | undefined) => Promise<void> | undefined

/** A client whose watches can be delayed. Delayed events arrive afterwards, in order. */
export class LaggingClient implements KubeClient {
  readonly #client: KubeClient
  readonly #clock: Clock
  readonly #gate: EventGate
  readonly #heldUntil = new Map<string, Milliseconds>()

  constructor(client: KubeClient, clock: Clock, gate: EventGate = () => undefined) {
    this.#client = client
    this.#clock = clock
    this.#gate = gate
  }

  /** Delays all events of the kind with this plural for the given time. */
  hold(plural: string, duration: Milliseconds): void {
    this.#heldUntil.set(plural, this.#clock.monotonic() + duration)
  }

  async *watch<T extends KubeObject>(
    kind: ResourceKind<T>,
    options: WatchOptions,
  ): AsyncGenerator<WatchEvent<T>, void, void> {
    for await (const event of this.#client.watch(kind, options)) {
      const wait = (this.#heldUntil.get(kind.plural) ?? 0) - this.#clock.monotonic()
      if (wait > 0) await sleep(this.#clock, wait, options.signal)
      if (event.type !== 'BOOKMARK') await this.#gate(kind, options.signal)
      yield event
    }
  }

  get<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, options?: CallOptions): Promise<T> {
    return this.#client.get(kind, ref, options)
  }

  list<T extends KubeObject>(kind: ResourceKind<T>, options?: ListOptions): Promise<KubeList<T>> {
    return this.#client.list(kind, options)
  }

  create<T extends KubeObject>(kind: ResourceKind<T>, object: NewObject<T>, options?: WriteOptions): Promise<T> {
    return this.#client.create(kind, object, options)
  }

  update<T extends KubeObject>(kind: ResourceKind<T>, object: T, options?: WriteOptions): Promise<T> {
    return this.#client.update(kind, object, options)
  }

  patch<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<T> {
    return this.#client.patch(kind, ref, patch, options)
  }

  delete<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, options?: DeleteOptions): Promise<void> {
    return this.#client.delete(kind, ref, options)
  }

  evict(pod: Required<ObjectRef>, options?: DeleteOptions): Promise<void> {
    return this.#client.evict(pod, options)
  }

  bind(pod: Required<ObjectRef>, nodeName: string, options?: CallOptions): Promise<void> {
    return this.#client.bind(pod, nodeName, options)
  }

  raw(path: string, options?: CallOptions): Promise<unknown> {
    return this.#client.raw(path, options)
  }
}
