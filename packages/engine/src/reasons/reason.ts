import { ownValue } from '@kerf/apis'
import { reasonCatalogue } from './reason-catalogue.ts'
import type { ReasonParameters, ReasonRow } from './reason-row.ts'

/** The codes of the catalogue. */
export type ReasonCode = keyof typeof reasonCatalogue

/** The details that the row of a code declares. Every reason about a NodePool can also have the numbers of its offerings. */
type DetailName<Code extends ReasonCode> = (typeof reasonCatalogue)[Code]['publicDetails' | 'ownDetails'][number]

/** The reason why an option was rejected or chosen, as data. `reasonSentence` returns its text. */
export type Reason<Code extends ReasonCode = ReasonCode> = Code extends ReasonCode
  ? ReasonParameters<DetailName<Code> | 'offered' | 'left'> & { readonly code: Code }
  : never

/** A reason in the form of API responses and recordings. */
export interface ReasonData extends ReasonParameters {
  readonly code: ReasonCode
}

/** Converts data to a reason. The compiler cannot check the details of a code that is known only at run time. */
export const reasonFromData = (data: ReasonData): Reason => data as Reason

const rows: Readonly<Record<string, ReasonRow>> = reasonCatalogue

/**
 * Returns the reason as a sentence, for Events, tables and the dashboard. If this version of Kerf does not define the code, returns the
 * code itself.
 */
export const reasonSentence = (reason: ReasonData): string =>
  ownValue(rows, reason.code)?.sentence(reason) ?? reason.code

/** Returns whether the catalogue contains this code. A newer version of Kerf may report codes that this catalogue does not contain. */
export const isReasonCode = (code: string): code is ReasonCode => ownValue(rows, code) !== undefined
