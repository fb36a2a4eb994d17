import { isConflict } from '../kube-client/api-error.ts'

/**
 * Maps items with at most `limit` concurrent calls. Results are in the order of the items. Every item is tried, even if others fail. After
 * all calls have ended, throws a single failure unchanged. Throws several failures as an AggregateError whose `cause` is the first one, or,
 * if all are conflicts, as a conflict. After the signal is aborted, starts no more calls, and throws the signal's reason.
 */
export const mapLimit = async <T, R>(
  items: Iterable<T>,
  limit: number,
  map: (item: T, signal: AbortSignal) => Promise<R>,
  signal: AbortSignal = NEVER,
): Promise<R[]> => {
  if (!(limit >= 1)) throw new RangeError(`mapLimit needs a limit of at least 1, got ${limit}`)
  signal.throwIfAborted()
  const results: R[] = []
  const failures: unknown[] = []
  const source = items[Symbol.iterator]()
  let index = 0

  const worker = async (): Promise<void> => {
    while (!signal.aborted) {
      const next = source.next()
      if (next.done === true) return
      const at = index++
      try {
        results[at] = await map(next.value, signal)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.floor(Math.min(limit, 10_000)) }, worker))
  signal.throwIfAborted()
  if (failures.length > 0) throw together(failures, index)
  return results
}

/**
 * Like `mapLimit`, but for results that are useful only together. The first failure aborts the signal of the other calls, and prevents
 * further calls. After the running calls have ended, throws this failure unchanged.
 */
export const mapWhole = async <T, R>(
  items: Iterable<T>,
  limit: number,
  map: (item: T, signal: AbortSignal) => Promise<R>,
  signal: AbortSignal = NEVER,
): Promise<R[]> => {
  const stop = new AbortController()
  const mapOne = async (item: T, inner: AbortSignal): Promise<R> => {
    try {
      return await map(item, inner)
    } catch (error) {
      stop.abort(error)
      throw error
    }
  }
  return mapLimit(items, limit, mapOne, AbortSignal.any([signal, stop.signal]))
}

const NEVER = new AbortController().signal

const together = (failures: readonly unknown[], of: number): unknown => {
  const [first] = failures
  if (failures.length === 1 || failures.every(isConflict)) return first
  const why = first instanceof Error ? first.message : String(first)
  return new AggregateError(failures, `${failures.length} of ${of} failed: ${why}`, { cause: first })
}
