import type { Isolation } from './isolation.ts'

/** Keeps objects apart, and reports nothing. The dashboard reads with it in the browser, so it imports types only. */
export const unreported: Pick<Isolation, 'guard'> = {
  guard: (_kind, _stage, _object, read, otherwise) => {
    try {
      return read()
    } catch {
      return otherwise
    }
  },
}
