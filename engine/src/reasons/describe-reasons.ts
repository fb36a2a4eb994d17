import type { Reason } from '../reason.ts'
import { sentenceOf } from './sentence.ts'

/** How many refusals a sentence for people names; the rest is counted. */
const SHOWN = 3

/** The engine gives all pods of a class the same array, so thousands of pods cost one sentence. */
const described = new WeakMap<readonly Reason[], string>()

/** How far the pod came in a pool: what was left of its offerings before the constraint that left none. */
const funnelOf = ({ detail }: Reason): string => {
  const { offered, left } = detail
  return offered === undefined || offered === left ? '' : ` (${left} of ${offered} offerings were left)`
}

const describe = (reasons: readonly Reason[]): string => {
  const sentences = [...new Set(reasons.map((reason) => `${sentenceOf(reason)}${funnelOf(reason)}`))]
  const more = sentences.length - SHOWN
  return `${sentences.slice(0, SHOWN).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/**
 * Why no place was found, nearest miss first, short enough for an event
 * (`docs/spec/pending-pods.md#what-a-pass-records`).
 */
export const describeReasons = (reasons: readonly Reason[]): string => {
  const known = described.get(reasons)
  if (known !== undefined) return known
  const text = describe(reasons)
  described.set(reasons, text)
  return text
}

/** With the single changes that would help, if any are known. */
export const withRemedies = (why: string, remedies: readonly string[]): string =>
  remedies.length === 0 ? why : `${why}; any one of these would place it: ${remedies.slice(0, SHOWN).join('; ')}`
