import type { KubeObject, Milliseconds, ResourceKind } from '@kerf/apis'
import type { Informer } from './informers/informer.ts'
import type { Key } from './key.ts'

/**
 * The result of a reconciliation. If a reconciliation throws, the controller counts the error, and retries the key after a back-off.
 * - `done`: there is nothing to do until something changes
 * - `retry-after`: reconcile again after this time, even if nothing changes
 * - `retry`: reconcile again after the back-off, without counting an error
 * - `terminal`: log and count the error, and do not retry until something changes
 */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry-after'; readonly after: Milliseconds }
  | { readonly kind: 'retry' }
  | { readonly kind: 'terminal'; readonly error: Error }

export const done = (): Outcome => ({ kind: 'done' })
export const retryAfter = (after: Milliseconds): Outcome => ({ kind: 'retry-after', after })
export const retry = (): Outcome => ({ kind: 'retry' })
export const terminal = (error: Error): Outcome => ({ kind: 'terminal', error })

/** A source of keys for a controller's queue: the changes of one resource kind. */
export interface Source<T extends KubeObject = KubeObject> {
  readonly informer: Informer<T>
  /** Returns the keys that a change affects. `before` is absent for a new object, and `after` for a deleted one. */
  keysOf(change: { readonly before?: T; readonly after?: T }): Iterable<Key>
}

/** Returns a controller source of one resource kind. The type of its objects is inferred from the informer. */
export const source = <T extends KubeObject>(informer: Informer<T>, keysOf: Source<T>['keysOf']): Source<T> => ({
  informer,
  keysOf,
})

/**
 * A controller reconciles keys: it reads the current state, compares it with the desired state, and corrects the difference. It may
 * reconcile a key any number of times, but never twice at the same time. It does not depend on single events, so lost or duplicate events
 * are harmless.
 */
export interface Controller {
  /** The controller's name, the same as in upstream. It is the metric label `controller` and part of log lines. */
  readonly name: string
  readonly sources: readonly Source[]
  /**
   * The kind of the objects that the keys name. If the API server answers that such an object does not exist, the reconciliation is
   * done: the object was deleted between the read and the write, and its deletion adds the key again.
   */
  readonly reconciles?: ResourceKind
  /** The maximum number of keys in progress. 1 for singletons. */
  readonly concurrency: number
  /**
   * The back-off of a failed key. By default 5 ms, doubling up to a minute, with 10 retries per second for all keys and bursts of
   * 100.
   */
  readonly backoff?: { readonly base: Milliseconds; readonly max: Milliseconds }
  /** The retry rate of all failed keys together; see `rateForConcurrency`. */
  readonly rate?: { readonly qps: number; readonly burst: number }
  /** Set if the controller writes nothing to the cluster or a cloud. It then also runs in observe mode. */
  readonly readsOnly?: true
  /** The controller that replaces this one in observe mode. It does the same without writes. */
  readonly observing?: Controller
  /** Whether the controller runs without a source. Its queue has the key `''` from the start. */
  readonly singleton?: boolean
  /**
   * Adds keys that do not come from informers, for example when a batching window closes or another controller decides. Called
   * once at the start with a function that adds a key. Returns a function that ends the subscription.
   */
  subscribe?(enqueue: (key: Key) => void): () => void
  reconcile(key: Key, signal: AbortSignal): Promise<Outcome>
}

/** A resource kind that a controller watches, with its name, for the generation and the checks of RBAC rules. */
export interface Watched {
  readonly kind: ResourceKind
}
