import type { Blocker } from '@kerf/engine'
import { blockerText } from '../locales/reasons.ts'
import type { Language, Translate } from '../locales/translate.ts'
import type { DriftHold } from '../model/drift-holds.ts'
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

/** Returns what blocks a node, and how many other blockers it has. */
export const holdText = (
  { blocker, isNamed, others }: DriftHold,
  readable: Readable,
  language: Language,
  t: Translate,
): string => {
  const why =
    isNamed === true ? blockerText(blocker as Blocker, language) : reportedBlockerText(blocker, readable, language)
  return others > 0 ? `${why} (${t('otherReasons', { count: others })})` : why
}
