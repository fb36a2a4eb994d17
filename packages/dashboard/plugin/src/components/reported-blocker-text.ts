import type { Blocker } from '@kerf/engine'
import { blockerText } from '../locales/reasons.ts'
import type { Language } from '../locales/translate.ts'
import { textAt } from '../model/read.ts'
import { namedBlocker, type Readable } from '../model/reported.ts'

/**
 * Returns the text that `make` creates for a reported blocker. If the code of the blocker is unknown, for example because the controller
 * has another version, returns the code.
 */
export const reportedBlockerText = (
  blocker: unknown,
  readable: Readable,
  language: Language,
  make: (known: Blocker, language: Language) => string = blockerText,
): string => {
  try {
    return make(namedBlocker(blocker, readable), language)
  } catch {
    return textAt(blocker, 'code') ?? ''
  }
}
