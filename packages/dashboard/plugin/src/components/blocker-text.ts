import { type Blocker, blockerSentence } from '@kerf/engine'
import { textAt } from '../model/read.ts'
import { namedBlocker, type Readable } from '../model/reported.ts'

/**
 * Returns the text for a reported blocker, which `make` creates. If the code of the blocker is unknown because the
 * controller has another version, returns the code.
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
