/** A `Map` or a `TtlCache` of promises. */
interface PromiseStore<K, V> {
  get(key: K): Promise<V> | undefined
  set(key: K, value: Promise<V>): unknown
  delete(key: K): boolean
}

/**
 * Returns the stored promise of the key. If there is none, starts the work and stores its promise, so that concurrent callers share it. If
 * the work fails, the promise is removed from the store, and the next caller starts the work again.
 */
export const keptPromise = <K, V>(store: PromiseStore<K, V>, key: K, start: () => Promise<V>): Promise<V> => {
  const kept = store.get(key)
  if (kept !== undefined) return kept
  const started = start()
  store.set(key, started)
  started.catch(() => {
    if (store.get(key) === started) store.delete(key)
  })
  return started
}
