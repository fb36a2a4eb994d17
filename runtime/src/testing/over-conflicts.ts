import { isConflict } from '../kube-client/api-error.ts'

/** Writes again until no other writer came between. `write` reads what it changes anew each time; other errors are the caller's. */
export const overConflicts = async <T>(write: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
}
