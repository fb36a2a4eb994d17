import type { ResourceKind } from '@kerf/apis'
import type { ApiError, ObjectRef } from '@kerf/runtime'

/** One API call as an interceptor receives it. */
export interface ApiCall {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'evict' | 'bind' | 'raw'
  readonly kind?: ResourceKind
  readonly ref?: ObjectRef
  /** The uid precondition of a deletion or eviction. Absent if the call has none. */
  readonly uid?: string
  readonly subresource?: string
  readonly path?: string
}

/** Injects faults: it may delay a call, make it fail before or after it takes effect, or drop watches. */
export interface Interceptor {
  /** Runs before the call has any effect. If it throws, the caller gets that error. A promise delays the call. */
  before?(call: ApiCall, signal?: AbortSignal): Promise<void> | void
  /** Runs after the call has taken effect. If it throws, the caller gets that error although the write has happened. */
  after?(call: ApiCall, signal?: AbortSignal): Promise<void> | void
  /**
   * Called when a watch opens. `drop()` closes the connection of the watch, and `drop(error)` makes the watch fail. May return a function,
   * which is called when the watch ends for any reason.
   */
  watching?(call: ApiCall, drop: (error?: ApiError) => void): (() => void) | undefined
}
