import { type Reason, reasonSentence } from './reason.ts'

/** The maximum number of sentences to show. The text only states how many more there are. */
const SHOWN = 3

/** All pods of a group share one array of reasons, so the text is created only once for them. */
const described = new WeakMap<readonly Reason[], string>()

/**
 * Returns, as text, how many of a pool's offerings were left before the constraint that excluded them; empty if all were left or the
 * numbers are unknown.
 */
const offeringCounts = ({ detail }: Reason): string => {
  const { offered, left } = detail
  return offered === undefined || offered === left ? '' : ` (${left} of ${offered} offerings were left)`
}

const describe = (reasons: readonly Reason[]): string => {
  const sentences = [...new Set(reasons.map((reason) => `${reasonSentence(reason)}${offeringCounts(reason)}`))]
  const more = sentences.length - SHOWN
  return `${sentences.slice(0, SHOWN).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/**
 * Returns a text that explains why a pod was not placed. The reason of the pool that came closest is first. The text is short enough for an
 * Event (`docs/spec/pending-pods.md#what-a-pass-records`).
 */
export const describeReasons = (reasons: readonly Reason[]): string => {
  const known = described.get(reasons)
  if (known !== undefined) return known
  const text = describe(reasons)
  described.set(reasons, text)
  return text
}

/** Appends single changes that would help, if any are known. */
export const withRemedies = (why: string, remedies: readonly string[]): string =>
  remedies.length === 0 ? why : `${why}; any one of these would place it: ${remedies.slice(0, SHOWN).join('; ')}`
