import { LabelVocabulary, noVocabulary, type ProviderVocabulary } from '@kerf/apis'
import { labelAliases } from './generated/node-class-kinds.ts'
import { at, fieldsAt, listAt } from './read.ts'

/** What labels mean where no controller says it: these are well known, and the volumes of every cloud may be there. */
export const seenVocabulary = (wellKnown: readonly string[]): LabelVocabulary =>
  new LabelVocabulary({ ...noVocabulary, wellKnown, aliases: labelAliases })

/** What labels mean by the answer of a controller about instance types. One that is older names the well-known labels alone. */
export const reportedVocabulary = (answer: unknown): LabelVocabulary =>
  at(answer, 'vocabulary') === undefined
    ? seenVocabulary(listAt(answer, 'wellKnownLabels').map(String))
    : new LabelVocabulary({ ...noVocabulary, ...(fieldsAt(answer, 'vocabulary') as Partial<ProviderVocabulary>) })
