import { isNotFound } from '@kerf/runtime'

/** Waits for a write to an object. Ignores the error if the object has been deleted meanwhile. */
export const unlessGone = async (write: Promise<unknown>): Promise<void> => {
  try {
    await write
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
