import type { KubeList, KubeObject, NewObject, ResourceKind, Seconds } from '@kerf/apis'

/** The name of an object; `namespace` only for namespaced kinds. */
export interface ObjectRef {
  readonly name: string
  readonly namespace?: string
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface ListOptions extends CallOptions {
  readonly namespace?: string
  /** `app=web,tier in (a,b)`, as kubectl takes it. */
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Page size; the answer's `metadata.continue` asks for the next one. */
  readonly limit?: number
  readonly continue?: string
  /** `'0'` allows an answer from the server's cache. */
  readonly resourceVersion?: string
}

export interface WatchOptions extends CallOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersion?: string
  readonly timeoutSeconds?: Seconds
}

/** `BOOKMARK` carries only a resourceVersion. An `ERROR` ends the iteration as a thrown `ApiError`. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }

export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean
  readonly fieldManager?: string
  /** `status`, `scale`, … */
  readonly subresource?: string
}

/**
 * The four patch formats. A merge or strategic patch that holds `metadata.resourceVersion` is an optimistic lock:
 * the server answers 409 when the object has moved on.
 */
export type Patch =
  | { readonly type: 'merge'; readonly body: object }
  | { readonly type: 'strategic'; readonly body: object }
  | { readonly type: 'json'; readonly body: readonly object[] }
  | { readonly type: 'apply'; readonly body: object; readonly force?: boolean }

export interface DeleteOptions extends CallOptions {
  readonly gracePeriodSeconds?: Seconds
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'
}

/**
 * The Kubernetes API as the controllers see it. Two implementations: over HTTP (this package) and in process (the
 * sandbox); one conformance suite holds both to the behaviour of a real API server.
 *
 * Every method throws `ApiError` for an answer that is not a success, and rejects with the signal's reason when aborted.
 */
export interface KubeClient {
  get<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, options?: CallOptions): Promise<T>
  /** One page when `limit` is given, otherwise everything. */
  list<T extends KubeObject>(kind: ResourceKind<T>, options?: ListOptions): Promise<KubeList<T>>
  /** Ends normally when the server closes the stream; resume from the last resourceVersion. */
  watch<T extends KubeObject>(kind: ResourceKind<T>, options: WatchOptions): AsyncIterable<WatchEvent<T>>
  /** Takes `metadata.name` or `metadata.generateName` and, for namespaced kinds, `metadata.namespace`. */
  create<T extends KubeObject>(kind: ResourceKind<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>
  /** Replaces; 409 when the object's resourceVersion is stale. */
  update<T extends KubeObject>(kind: ResourceKind<T>, object: T, options?: WriteOptions): Promise<T>
  patch<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<T>
  /** Resolves with the object as it is after the call: gone, or waiting for its finalizers with a deletionTimestamp. */
  delete<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, options?: DeleteOptions): Promise<void>
  /** The eviction subresource: 429 while a PodDisruptionBudget forbids it. */
  evict(pod: Required<ObjectRef>, options?: DeleteOptions): Promise<void>
  /** The binding subresource, as a scheduler uses it. */
  bind(pod: Required<ObjectRef>, nodeName: string, options?: CallOptions): Promise<void>
  /** GET of any path (discovery, `/version`, `/openapi/v3`), parsed as JSON. */
  raw(path: string, options?: CallOptions): Promise<unknown>
}
