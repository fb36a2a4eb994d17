import { LabelVocabulary, noVocabulary, type ProviderVocabulary } from '@kerf/apis'
import { labelAliases } from './generated/displayed-kinds.ts'
import { at, fieldsAt, listAt } from './read.ts'

/**
 * Returns the meaning of labels without a controller's report: the given ones are well known, and volumes of every
 * cloud are possible.
 */
export const seenVocabulary = (wellKnown: readonly string[]): LabelVocabulary =>
  new LabelVocabulary({ ...noVocabulary, wellKnown, aliases: labelAliases })

/**
 * Returns the meaning of labels from a controller's answer about instance types. An older controller reports only the
 * well-known labels.
 */
export const reportedVocabulary = (answer: unknown): LabelVocabulary =>
  at(answer, 'vocabulary') === undefined
    ? seenVocabulary(listAt(answer, 'wellKnownLabels').map(String))
    : new LabelVocabulary({ ...noVocabulary, ...(fieldsAt(answer, 'vocabulary') as Partial<ProviderVocabulary>) })
