import { isNotFound } from '@kerf/runtime'

/** Waits for a write to an object; that the object is gone meanwhile is no error. */
export const unlessGone = async (write: Promise<unknown>): Promise<void> => {
  try {
    await write
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
