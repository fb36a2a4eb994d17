import { type Blocker, blockerSentence } from '@kerf/engine'
import { textAt } from '../model/read.ts'
import { namedBlocker, type Readable } from '../model/reported.ts'

/** A reported blocker in words, by `make`; the code alone where a controller of another version knows more than this page. */
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
