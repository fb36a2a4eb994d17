import { isNotFound } from '@kerf/runtime'

/** Waits for a write to an object. If the object has been deleted in the meantime, ignores the error. */
export const unlessGone = async (write: Promise<unknown>): Promise<void> => {
  try {
    await write
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
