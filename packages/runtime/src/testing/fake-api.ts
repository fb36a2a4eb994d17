import { groupVersion, type KubeList, type KubeObject, type NewObject, type ResourceKind } from '@kerf/apis'
import { informerKey } from '../informers/key-of.ts'
import { ApiError } from '../kube-client/api-error.ts'
import type {
  KubeClient,
  ListOptions,
  ObjectRef,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../kube-client/kube-client.ts'

interface Watcher {
  readonly kind: string
  readonly queue: WatchEvent<KubeObject>[]
  failure: { readonly error: Error | undefined } | undefined
  wake: () => void
}

const notFound = (what: string): ApiError =>
  new ApiError({ code: 404, reason: 'NotFound', message: `${what} not found` })
const conflict = (): ApiError =>
  new ApiError({ code: 409, reason: 'Conflict', message: 'the object has been modified' })

export const unreachableError = (): ApiError =>
  new ApiError({ code: 0, reason: 'Unreachable', message: 'connection reset' })

const patchTypes: ReadonlySet<string> = new Set<Patch['type']>(['json', 'merge', 'strategic', 'apply'])

/**
 * A small API server for the tests of this package, which cannot import the sandbox. It simulates faults of real servers: lost and
 * lagging watches, duplicate events, compaction, and errors of any call. It changes objects only when it is called.
 */
export class FakeApi implements KubeClient {
  readonly #objects = new Map<string, Map<string, KubeObject>>()
  readonly #history: { readonly version: number; readonly kind: string; readonly event: WatchEvent<KubeObject> }[] = []
  readonly #watchers = new Set<Watcher>()
  readonly #snapshots = new Map<string, readonly KubeObject[]>()
  /** The names of all calls, in order. */
  readonly calls: string[] = []
  #version = 100
  #uid = 0
  #compacted = 0
  /** The errors of the next calls, one for each. */
  readonly failures: Error[] = []
  /** Called before each API call. It may throw or wait. */
  before: (call: string) => void | Promise<void> = () => {}
  /** How many of the next lists come from a replica that has no objects yet. */
  staleLists = 0
  duplicates = false
  /** While it is true, watches deliver no events. */
  lagging = false

  get version(): string {
    return String(this.#version)
  }

  get watchers(): number {
    return this.#watchers.size
  }

  objects<T extends KubeObject>(kind: ResourceKind<T>): readonly T[] {
    return [...this.#table(kind).values()].map((object) => object as T)
  }

  /** Ends every watch, with an error or as if the server had closed it. */
  dropWatches(error?: Error): void {
    for (const watcher of this.#watchers) {
      watcher.failure = { error }
      watcher.wake()
    }
  }

  /** Drops the history, and the snapshots of continue tokens. */
  compact(): void {
    this.#compacted = this.#version
    this.#history.length = 0
    this.#snapshots.clear()
  }

  deliver(): void {
    this.lagging = false
    for (const watcher of this.#watchers) watcher.wake()
  }

  bookmark(): void {
    this.#version++
    for (const watcher of this.#watchers) this.#push(watcher, { type: 'BOOKMARK', resourceVersion: this.version })
  }

  async get<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef): Promise<T> {
    await this.#call(`get ${kind.kind}`)
    return this.#stored(kind, ref)
  }

  async list<T extends KubeObject>(kind: ResourceKind<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    await this.#call(`list ${kind.kind}`)
    if (this.staleLists > 0) {
      this.staleLists--
      return { apiVersion: groupVersion(kind), kind: `${kind.kind}List`, metadata: { resourceVersion: '1' }, items: [] }
    }
    const [version = this.version, from = '0'] = options.continue?.split(':') ?? []
    const snapshotKey = `${kind.kind}:${version}`
    const items = options.continue === undefined ? this.objects(kind) : this.#snapshots.get(snapshotKey)
    if (items === undefined) throw new ApiError({ code: 410, reason: 'Expired', message: 'continue token expired' })
    this.#snapshots.set(snapshotKey, items)
    const start = Number(from)
    const end = options.limit === undefined ? items.length : start + options.limit
    return {
      apiVersion: groupVersion(kind),
      kind: `${kind.kind}List`,
      metadata: { resourceVersion: version, ...(end < items.length && { continue: `${version}:${end}` }) },
      // Each kind has its own snapshots.
      items: items.slice(start, end).map((item) => item as T),
    }
  }

  async *watch<T extends KubeObject>(kind: ResourceKind<T>, options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    await this.#call(`watch ${kind.kind}`)
    const { signal } = options
    const from = Number(options.resourceVersion ?? this.#version)
    if (from < this.#compacted)
      throw new ApiError({ code: 410, reason: 'Expired', message: 'too old resource version' })
    const watcher: Watcher = { kind: kind.kind, queue: [], failure: undefined, wake: () => {} }
    for (const { version, kind: of, event } of this.#history) {
      if (of === kind.kind && version > from) this.#push(watcher, event)
    }
    this.#watchers.add(watcher)
    const onAbort = (): void => watcher.wake()
    signal?.addEventListener('abort', onAbort)
    try {
      for (;;) {
        signal?.throwIfAborted()
        if (watcher.failure !== undefined) {
          if (watcher.failure.error !== undefined) throw watcher.failure.error
          return
        }
        const next = this.lagging ? undefined : watcher.queue.shift()
        // A watcher is created for one kind, so its events have the type of that kind.
        if (next !== undefined) yield next as WatchEvent<T>
        else {
          await new Promise<void>((resolve) => {
            watcher.wake = resolve
          })
        }
      }
    } finally {
      this.#watchers.delete(watcher)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async create<T extends KubeObject>(
    kind: ResourceKind<T>,
    object: NewObject<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    await this.#call(`create ${kind.kind}`, options.signal)
    const table = this.#table(kind)
    const { name = '', ...metadata } = object.metadata
    const key = informerKey({ ...object, metadata: { ...metadata, name } })
    if (table.has(key)) throw new ApiError({ code: 409, reason: 'AlreadyExists', message: `${key} already exists` })
    return this.#store(
      kind,
      { ...object, metadata: { ...metadata, name, uid: `uid-${++this.#uid}` } } as unknown as T,
      'ADDED',
    )
  }

  async update<T extends KubeObject>(kind: ResourceKind<T>, object: T, options: WriteOptions = {}): Promise<T> {
    await this.#call(`update ${kind.kind}`, options.signal)
    const current = this.#stored(kind, { ...object.metadata, name: object.metadata.name })
    const expected = object.metadata.resourceVersion
    if (expected !== undefined && expected !== current.metadata.resourceVersion) throw conflict()
    return this.#store(kind, { ...object, metadata: { ...current.metadata, ...object.metadata } }, 'MODIFIED')
  }

  async patch<T extends KubeObject>(
    kind: ResourceKind<T>,
    ref: ObjectRef,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    await this.#call(`patch ${kind.kind}`, options.signal)
    // kube-apiserver answers 415 to a patch with an unknown Content-Type.
    if (!patchTypes.has(patch.type))
      throw new ApiError({ code: 415, reason: 'UnsupportedMediaType', message: 'not a patch that the server knows' })
    return this.#store(kind, { ...this.#stored(kind, ref), ...patch.body }, 'MODIFIED')
  }

  async delete<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef): Promise<void> {
    await this.#call(`delete ${kind.kind}`)
    this.remove(kind, ref)
  }

  async evict(): Promise<void> {
    await this.#call('evict')
  }

  async bind(): Promise<void> {
    await this.#call('bind')
  }

  async raw(): Promise<unknown> {
    await this.#call('raw')
    return {}
  }

  /** Creates or changes an object directly, without an API call. */
  put<T extends KubeObject>(kind: ResourceKind<T>, object: T): T {
    const current = this.#table(kind).get(informerKey(object))
    const uid = current?.metadata.uid ?? `uid-${++this.#uid}`
    return this.#store(kind, { ...object, metadata: { ...object.metadata, uid } }, current ? 'MODIFIED' : 'ADDED')
  }

  remove<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef): void {
    const object = this.#stored(kind, ref)
    this.#table(kind).delete(informerKey(object))
    this.#version++
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: this.version } }
    this.#announce(kind, { type: 'DELETED', object: last })
  }

  #store<T extends KubeObject>(kind: ResourceKind<T>, object: T, type: 'ADDED' | 'MODIFIED'): T {
    this.#version++
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: this.version } }
    this.#table(kind).set(informerKey(stored), stored)
    this.#announce(kind, { type, object: stored })
    return stored
  }

  #announce<T extends KubeObject>(kind: ResourceKind<T>, event: WatchEvent<KubeObject>): void {
    this.#history.push({ version: this.#version, kind: kind.kind, event })
    for (const watcher of this.#watchers) if (watcher.kind === kind.kind) this.#push(watcher, event)
  }

  #push(watcher: Watcher, event: WatchEvent<KubeObject>): void {
    watcher.queue.push(event)
    if (this.duplicates) watcher.queue.push(event)
    if (!this.lagging) watcher.wake()
  }

  #stored<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef): T {
    const key = ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`
    const object = this.#table(kind).get(key)
    if (object === undefined) throw notFound(`${kind.kind} ${key}`)
    return object as T
  }

  #table<T extends KubeObject>(kind: ResourceKind<T>): Map<string, KubeObject> {
    const known = this.#objects.get(kind.kind)
    if (known !== undefined) return known
    const table = new Map<string, KubeObject>()
    this.#objects.set(kind.kind, table)
    return table
  }

  async #call(name: string, signal?: AbortSignal): Promise<void> {
    this.calls.push(name)
    signal?.throwIfAborted()
    const waiting = this.before(name)
    if (waiting !== undefined) {
      const aborted = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
      await Promise.race([waiting, aborted])
    }
    const failure = this.failures.shift()
    if (failure !== undefined) throw failure
  }
}
