/**
 * Maps with at most `limit` calls under way; results stand in the order of the items. The first error aborts the signal
 * that the other calls were given, starts no more, and is thrown once those under way have ended.
 */
export const mapLimit = async <T, R>(
  items: Iterable<T>,
  limit: number,
  map: (item: T, signal: AbortSignal) => Promise<R>,
  signal?: AbortSignal,
): Promise<R[]> => {
  if (!(limit >= 1)) throw new RangeError(`mapLimit needs a limit of at least 1, got ${limit}`)
  signal?.throwIfAborted()
  const stop = new AbortController()
  const combined = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  const results: R[] = []
  const source = items[Symbol.iterator]()
  let index = 0
  let failure: { readonly error: unknown } | undefined

  const worker = async (): Promise<void> => {
    while (!combined.aborted) {
      const next = source.next()
      if (next.done === true) return
      const at = index++
      try {
        results[at] = await map(next.value, combined)
      } catch (error) {
        failure ??= { error }
        stop.abort(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.floor(Math.min(limit, 10_000)) }, worker))
  if (failure !== undefined) throw failure.error
  signal?.throwIfAborted()
  return results
}
