import { isConflict, isNotFound } from '@kerf/runtime'

/**
 * Writes from what an informer has; after a conflict once more from what `read` finds, at once: what the informer has is old for as
 * long as its watch lags, and what waits for the write must not wait for that.
 *
 * @returns what `write` answers; undefined when the object is gone.
 * @throws ApiError 409 when it changed again meanwhile.
 */
export const writeNewest = async <T, R>(
  seen: T,
  read: () => Promise<T | undefined>,
  write: (object: T) => Promise<R>,
): Promise<R | undefined> => {
  try {
    try {
      return await write(seen)
    } catch (error) {
      if (!isConflict(error)) throw error
    }
    const newest = await read()
    return newest === undefined ? undefined : await write(newest)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
