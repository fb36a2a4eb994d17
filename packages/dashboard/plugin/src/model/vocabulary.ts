import { LabelVocabulary, noVocabulary, type ProviderVocabulary } from '@kerf/apis'
import { labelAliases } from './generated/displayed-kinds.ts'
import { at, fieldsAt, listAt } from './read.ts'

/**
 * Returns a label vocabulary for clusters whose controller reports none. It has the given well-known labels, and the
 * labels of the volume drivers of all clouds.
 */
export const seenVocabulary = (wellKnown: readonly string[]): LabelVocabulary =>
  new LabelVocabulary({ ...noVocabulary, wellKnown, aliases: labelAliases })

/**
 * Returns the label vocabulary from a controller's response about instance types. An older controller reports only
 * the well-known labels.
 */
export const reportedVocabulary = (answer: unknown): LabelVocabulary =>
  at(answer, 'vocabulary') === undefined
    ? seenVocabulary(listAt(answer, 'wellKnownLabels').map(String))
    : new LabelVocabulary({ ...noVocabulary, ...(fieldsAt(answer, 'vocabulary') as Partial<ProviderVocabulary>) })
