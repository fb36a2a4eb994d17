import { isConflict } from '../kube-client/api-error.ts'

/** Repeats a write until it succeeds without a conflict. `write` must read its object again each time. Other errors are thrown. */
export const overConflicts = async <T>(write: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
}
