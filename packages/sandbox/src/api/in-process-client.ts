import type { KubeList, KubeObject, NewObject, ResourceKind } from '@kerf/apis'
import type {
  CallOptions,
  DeleteOptions,
  KubeClient,
  ListOptions,
  ObjectRef,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '@kerf/runtime'
import type { Identity, WriteRequest } from '../resources/request.ts'
import type { ApiOperations } from './api-operations.ts'
import type { ApiCall, Interceptor } from './interceptor.ts'

/**
 * Calls the API in the same process. Returned objects are the stored objects, which are frozen and shared. Calls resolve in microtasks,
 * without timers.
 */
export class InProcessClient implements KubeClient {
  readonly #api: ApiOperations
  readonly #identity: Identity
  readonly #interceptor: Interceptor

  constructor(api: ApiOperations, identity: Identity, interceptor: Interceptor) {
    this.#api = api
    this.#identity = identity
    this.#interceptor = interceptor
  }

  get<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, options?: CallOptions): Promise<T> {
    return this.#call({ verb: 'get', kind, ref }, options, () => this.#api.get(kind, ref) as T)
  }

  list<T extends KubeObject>(kind: ResourceKind<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    return this.#call({ verb: 'list', kind }, options, () => this.#api.list(kind, options) as KubeList<T>)
  }

  async *watch<T extends KubeObject>(
    kind: ResourceKind<T>,
    options: WatchOptions,
  ): AsyncGenerator<WatchEvent<T>, void, void> {
    const dropped = new AbortController()
    const call: ApiCall = { verb: 'watch', kind }
    await this.#interceptor.before?.(call, options.signal)
    options.signal?.throwIfAborted()
    const stop = this.#interceptor.watching?.(call, (error) => dropped.abort(error))
    const signal = options.signal === undefined ? dropped.signal : AbortSignal.any([options.signal, dropped.signal])
    try {
      for await (const event of this.#api.watch(kind, { ...options, allowBookmarks: true, signal })) {
        if (event.type === 'BOOKMARK') yield { type: 'BOOKMARK', resourceVersion: event.resourceVersion }
        else yield { type: event.type, object: event.object as T }
      }
    } catch (error) {
      // If a fault drops the watch without an error, the watch ends as if the server had closed the stream.
      if (!dropped.signal.aborted || options.signal?.aborted === true || error !== dropped.signal.reason) throw error
      if (!isPlainAbort(error)) throw error
    } finally {
      stop?.()
    }
  }

  create<T extends KubeObject>(kind: ResourceKind<T>, object: NewObject<T>, options: WriteOptions = {}): Promise<T> {
    return this.#call(
      { verb: 'create', kind, ref: refOf(object), ...sub(options) },
      options,
      () => this.#api.create(kind, object, this.#write(options), options.subresource) as T,
    )
  }

  update<T extends KubeObject>(kind: ResourceKind<T>, object: T, options: WriteOptions = {}): Promise<T> {
    return this.#call(
      { verb: 'update', kind, ref: refOf(object), ...sub(options) },
      options,
      () => this.#api.update(kind, object, this.#write(options), options.subresource) as T,
    )
  }

  patch<T extends KubeObject>(
    kind: ResourceKind<T>,
    ref: ObjectRef,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.#call(
      { verb: 'patch', kind, ref, ...sub(options) },
      options,
      () => this.#api.patch(kind, ref, patch, this.#write(options), options.subresource) as T,
    )
  }

  delete<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, options: DeleteOptions = {}): Promise<void> {
    return this.#call({ verb: 'delete', kind, ref, ...meant(options) }, options, () => {
      this.#api.delete(kind, ref, { identity: this.#identity, ...options })
    })
  }

  evict(pod: Required<ObjectRef>, options: DeleteOptions = {}): Promise<void> {
    return this.#call(
      { verb: 'evict', kind: podKind, ref: pod, subresource: 'eviction', ...meant(options) },
      options,
      () => {
        this.#api.evict(pod, { identity: this.#identity, ...options })
      },
    )
  }

  bind(pod: Required<ObjectRef>, nodeName: string, options: CallOptions = {}): Promise<void> {
    return this.#call({ verb: 'bind', kind: podKind, ref: pod, subresource: 'binding' }, options, () => {
      this.#api.bind(pod, nodeName, { identity: this.#identity })
    })
  }

  raw(path: string, options?: CallOptions): Promise<unknown> {
    return this.#call({ verb: 'raw', path }, options, () => this.#api.raw(path))
  }

  #write(options: WriteOptions): WriteRequest {
    return {
      identity: this.#identity,
      ...(options.fieldManager === undefined ? {} : { fieldManager: options.fieldManager }),
      ...(options.dryRun === undefined ? {} : { dryRun: options.dryRun }),
    }
  }

  async #call<T>(call: ApiCall, options: CallOptions | undefined, run: () => T): Promise<T> {
    const signal = options?.signal
    signal?.throwIfAborted()
    if (this.#interceptor.before !== undefined) {
      await this.#interceptor.before(call, signal)
      signal?.throwIfAborted()
    }
    const result = run()
    if (this.#interceptor.after !== undefined) await this.#interceptor.after(call, signal)
    return result
  }
}

const podKind = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true } as const

const refOf = (object: NewObject): ObjectRef => {
  const { name = '', namespace } = object.metadata
  return namespace === undefined ? { name } : { name, namespace }
}

const sub = (options: WriteOptions): { readonly subresource?: string } =>
  options.subresource === undefined ? {} : { subresource: options.subresource }

const meant = ({ preconditions }: DeleteOptions): { readonly uid?: string } =>
  preconditions?.uid === undefined ? {} : { uid: preconditions.uid }

const isPlainAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
