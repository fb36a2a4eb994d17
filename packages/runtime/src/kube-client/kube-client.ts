import type { KubeList, KubeObject, NewObject, ResourceKind, Seconds } from '@kerf/apis'

/** The name of an object. `namespace` is set only for namespaced kinds. */
export interface ObjectRef {
  readonly name: string
  readonly namespace?: string
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface ListOptions extends CallOptions {
  readonly namespace?: string
  /** A label selector in kubectl's syntax, for example `app=web,tier in (a,b)`. */
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** The page size. `metadata.continue` of the response requests the next page. */
  readonly limit?: number
  readonly continue?: string
  /** The resource version. `'0'` allows a response from the server's cache. */
  readonly resourceVersion?: string
}

export interface WatchOptions extends CallOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersion?: string
  readonly timeoutSeconds?: Seconds
}

/**
 * An event of a watch. A `BOOKMARK` contains only a resourceVersion. An `ERROR` is thrown as an `ApiError`, which ends the
 * iteration.
 */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }

export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean
  readonly fieldManager?: string
  /** The subresource, for example `status` or `scale`. */
  readonly subresource?: string
}

/**
 * A patch in one of the four formats. A merge or strategic patch with `metadata.resourceVersion` uses optimistic locking: the
 * server answers 409 if the object has a newer version.
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
 * The Kubernetes API for controllers. There are two implementations: over HTTP (this package) and in the same process (the
 * sandbox). One conformance suite compares both with a real API server. Every method throws `ApiError` for an unsuccessful
 * response, and rejects with the signal's reason when aborted.
 */
export interface KubeClient {
  get<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, options?: CallOptions): Promise<T>
  /** Returns one page if `limit` is given, otherwise all objects. */
  list<T extends KubeObject>(kind: ResourceKind<T>, options?: ListOptions): Promise<KubeList<T>>
  /** Ends without an error when the server closes the stream. The caller may then resume from the last resourceVersion. */
  watch<T extends KubeObject>(kind: ResourceKind<T>, options: WatchOptions): AsyncIterable<WatchEvent<T>>
  /**
   * Creates the object. It must have `metadata.name` or `metadata.generateName`, and `metadata.namespace` if its kind is
   * namespaced.
   */
  create<T extends KubeObject>(kind: ResourceKind<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>
  /** Replaces the object. Fails with 409 if the object's resourceVersion is outdated. */
  update<T extends KubeObject>(kind: ResourceKind<T>, object: T, options?: WriteOptions): Promise<T>
  patch<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<T>
  /** Deletes the object. If it has finalizers, it still exists after the call and has a deletionTimestamp. */
  delete<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, options?: DeleteOptions): Promise<void>
  /** Uses the eviction subresource. Fails with 429 while a PodDisruptionBudget forbids the eviction. */
  evict(pod: Required<ObjectRef>, options?: DeleteOptions): Promise<void>
  /** Uses the binding subresource, as a scheduler does. */
  bind(pod: Required<ObjectRef>, nodeName: string, options?: CallOptions): Promise<void>
  /** Sends a GET to any path (discovery, `/version`, `/openapi/v3`) and returns the parsed JSON. */
  raw(path: string, options?: CallOptions): Promise<unknown>
}
