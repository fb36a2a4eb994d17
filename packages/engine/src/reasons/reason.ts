import { ownValue } from '@kerf/apis'
import { reasonCatalogue } from './reason-catalogue.ts'
import type { ReasonParameters, ReasonRow } from './reason-row.ts'

/** The codes of the catalogue. */
export type ReasonCode = keyof typeof reasonCatalogue

/** The reason why an option was rejected or chosen, as data. `reasonSentence` returns its text. */
export interface Reason extends ReasonParameters {
  readonly code: ReasonCode
}

const rows: Readonly<Record<string, ReasonRow>> = reasonCatalogue

/** Returns the reason as a sentence, for Events, tables and the dashboard. Returns its code if only a newer Kerf knows the code. */
export const reasonSentence = (reason: Reason): string => ownValue(rows, reason.code)?.sentence(reason) ?? reason.code

/** Returns whether the catalogue contains this code. A newer Kerf may report codes that it does not contain. */
export const isReasonCode = (code: string): code is ReasonCode => ownValue(rows, code) !== undefined
