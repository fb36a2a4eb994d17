import type { KubeObject, Milliseconds, ResourceKind } from '@kerf/apis'
import type { Informer } from './informers/informer.ts'
import type { Key } from './key.ts'

/**
 * The result of a reconciliation. A thrown error is counted, and the key is retried after a back-off.
 * - `done`: nothing to do until something changes
 * - `retry-after`: reconcile again after a time even if nothing changes
 * - `retry`: reconcile again after the rate limiter's back-off, without counting an error
 * - `terminal`: log and count the error; do not retry until something changes
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

/** A source whose changes add keys to a controller's queue. */
export interface Source<T extends KubeObject = KubeObject> {
  readonly informer: Informer<T>
  /** Returns the keys that a change concerns. `before` is absent for a new object, `after` for a deleted one. */
  keysOf(change: { readonly before?: T; readonly after?: T }): Iterable<Key>
}

/** Returns a source of one kind. The type of its objects is inferred from the informer. */
export const source = <T extends KubeObject>(informer: Informer<T>, keysOf: Source<T>['keysOf']): Source<T> => ({
  informer,
  keysOf,
})

/**
 * A controller reconciles a key: it reads the current state and acts on the difference to the desired state. It may run any number of
 * times. It does not depend on individual events, so lost or duplicate events are harmless. A key is never reconciled twice at a time.
 */
export interface Controller {
  /** Upstream's controller name: the metric label `controller` and the logger. */
  readonly name: string
  readonly sources: readonly Source[]
  /**
   * The kind of the objects that the keys name. If the API server answers that this object does not exist, the reconciliation
   * is done: the object was deleted between the read and the write, and its deletion adds the key again.
   */
  readonly reconciles?: ResourceKind
  /** The maximum number of keys in progress. 1 for singletons. */
  readonly concurrency: number
  /**
   * Back-off of a failed key. The default is 5 ms doubling to a minute, with 10 retries per second for all keys and bursts
   * of 100.
   */
  readonly backoff?: { readonly base: Milliseconds; readonly max: Milliseconds }
  /** The retry rate of all failed keys together; see `rateForConcurrency`. */
  readonly rate?: { readonly qps: number; readonly burst: number }
  /** The controller writes nothing to the cluster or a cloud, so it also runs in observe mode. */
  readonly readsOnly?: true
  /** The controller that replaces it in observe mode: the same without writes. */
  readonly observing?: Controller
  /** Runs without a source: the queue contains the key `''` from the start. */
  readonly singleton?: boolean
  /**
   * Adds keys from other sources than informers (a batch window that closed, a decision of another controller). Called once at the
   * start with a function that adds a key. Returns a function that unsubscribes.
   */
  subscribe?(enqueue: (key: Key) => void): () => void
  reconcile(key: Key, signal: AbortSignal): Promise<Outcome>
}

/** A kind that a controller watches, by name, so that RBAC can be generated and checked. */
export interface Watched {
  readonly kind: ResourceKind
}
