import type { Isolation } from './isolation.ts'

/** An isolation that sets objects aside but does not report them. The dashboard uses it in the browser, so this file imports only types. */
export const unreported: Pick<Isolation, 'guard'> = {
  guard: (_kind, _stage, _object, read, otherwise) => {
    try {
      return read()
    } catch {
      return otherwise
    }
  },
}
