import { type Blocker, blockerSentence } from '@kerf/engine'
import { textAt } from '../model/read.ts'
import { namedBlocker, type Readable } from '../model/reported.ts'

/**
 * Returns the text that `make` creates for a reported blocker. If the controller has another version and this one
 * does not know the code of the blocker, returns the code.
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
