import { isConflict } from '../kube-client/api-error.ts'

/** Repeats a write until it succeeds without a conflict. `write` must read its object again each time. Throws other errors. */
export const overConflicts = async <T>(write: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
}
