import { type Blocker, blockerSentence } from '@kerf/engine'
import { textAt } from '../model/read.ts'
import { namedBlocker, type Readable } from '../model/reported.ts'

/**
 * Returns a reported blocker as text, made by `make`. Returns the code alone if it is unknown because the controller
 * has another version.
 */
export const blockerText = (
  blocker: unknown,
  readable: Readable,
  make: (known: Blocker) => string | undefined = blockerSentence,
): string => {
  try {
    return make(namedBlocker(blocker, readable)) ?? ''
  } catch {
    return textAt(blocker, 'code') ?? ''
  }
}
