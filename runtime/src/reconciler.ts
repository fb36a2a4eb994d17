import type { KubeObject, Milliseconds, ResourceKind } from '@kerf/apis'
import type { Informer } from './informers/informer.ts'
import type { Key } from './key.ts'

/**
 * What a reconciliation ended in. A thrown error means: count it, and try again after a back-off.
 *
 * - `done`: nothing left to do until something changes
 * - `retry-after`: come back after a while even if nothing changes
 * - `retry`: come back after the rate limiter's back-off, without counting an error
 * - `terminal`: log and count the error; do not try again until something changes
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

/** Something whose changes put keys into a controller's queue. */
export interface Source<T extends KubeObject = KubeObject> {
  readonly informer: Informer<T>
  /** The keys that a change concerns. `before` is absent for a new object, `after` for one that is gone. */
  keysOf(change: { readonly before?: T; readonly after?: T }): Iterable<Key>
}

/** A source of one kind, with the type of its objects inferred from the informer. */
export const source = <T extends KubeObject>(informer: Informer<T>, keysOf: Source<T>['keysOf']): Source<T> => ({
  informer,
  keysOf,
})

/**
 * A controller: a name goes in, the world is read, the difference is acted on, any number of times. It never learns
 * what happened, so lost or doubled events cannot make it wrong. The same key is never reconciled twice at a time.
 */
export interface Controller {
  /** Upstream's controller name: the metric label `controller` and the logger. */
  readonly name: string
  readonly sources: readonly Source[]
  /**
   * The kind of the objects that the keys name. Where an answer of the API server says that the very object is gone, the
   * reconciliation has ended: it went between the read and the write, and its end is a change of its own.
   */
  readonly reconciles?: ResourceKind
  /** How many keys may be in work at once. 1 for singletons. */
  readonly concurrency: number
  /**
   * Back-off of a key that failed; the default is 5 ms doubling to a minute, and 10 a second over all keys with a burst
   * of 100.
   */
  readonly backoff?: { readonly base: Milliseconds; readonly max: Milliseconds }
  /** How fast failed keys come back over all of them; see `rateForConcurrency`. */
  readonly rate?: { readonly qps: number; readonly burst: number }
  /** It writes nothing to the cluster or a cloud, so it runs in observe mode too. */
  readonly readsOnly?: true
  /** What runs in its place in observe mode: the same without its writes. */
  readonly observing?: Controller
  /** Runs without a source: the queue holds the key `''` from the start. */
  readonly singleton?: boolean
  /**
   * Keys from elsewhere than informers (a batch window that closed, a decision of another controller). Called once at the
   * start with the way to ask for work on a key; answers the way to stop.
   */
  subscribe?(enqueue: (key: Key) => void): () => void
  reconcile(key: Key, signal: AbortSignal): Promise<Outcome>
}

/** Which kinds a controller needs watched, by name, so that RBAC can be generated and checked. */
export interface Watched {
  readonly kind: ResourceKind
}
