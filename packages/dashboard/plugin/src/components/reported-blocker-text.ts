import type { Blocker } from '@kerf/engine'
import { blockerText } from '../locales/reasons.ts'
import type { Language, Translate } from '../locales/translate.ts'
import type { DriftHold } from '../model/drift-holds.ts'
import { textAt } from '../model/read.ts'
import { namedBlocker, type Readable } from '../model/reported.ts'

/**
 * Returns the text that `make` creates for a reported blocker. If this version of the plugin does not know the
 * blocker's code, returns the code.
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

/** Returns, as text, the first blocker of a node and the number of its other blockers. */
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
