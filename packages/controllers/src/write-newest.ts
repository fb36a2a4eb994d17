import { isConflict, isNotFound } from '@kerf/runtime'

/**
 * Writes an object in the version that the informer has. After a conflict, reads the object with `read` and immediately tries once more.
 * Waiting for the informer would not help, because a lagging watch may still show the old version.
 *
 * @returns the result of `write`, or undefined if the object is deleted.
 * @throws ApiError 409 if the object has changed again.
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
