import type { ResourceKind } from '@kerf/apis'
import type { ApiError, ObjectRef } from '@kerf/runtime'

/** One call as an interceptor sees it. */
export interface ApiCall {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'evict' | 'bind' | 'raw'
  readonly kind?: ResourceKind
  readonly ref?: ObjectRef
  /** The one object of that name that is meant, where a deletion or eviction says so. */
  readonly uid?: string
  readonly subresource?: string
  readonly path?: string
}

/** Where faults come from: it may delay a call, fail it before or after it has taken effect, and drop watches. */
export interface Interceptor {
  /** Before the call has any effect. What it throws is the answer; a promise delays the call. */
  before?(call: ApiCall, signal?: AbortSignal): Promise<void> | void
  /** After the call has taken effect. What it throws is the answer, although the write has happened. */
  after?(call: ApiCall, signal?: AbortSignal): Promise<void> | void
  /** A watch has opened. `drop()` ends it as a closed connection, `drop(error)` as an error. Returns what to call when it ends by itself. */
  watching?(call: ApiCall, drop: (error?: ApiError) => void): (() => void) | undefined
}
