import { type Reason, sentenceOf } from '@kerf/engine'

/** How many refusals a sentence for people names; the rest is counted. */
const SHOWN = 3

/** The engine gives all pods of a class the same array, so thousands of pods cost one sentence. */
const described = new WeakMap<readonly Reason[], string>()

const describe = (reasons: readonly Reason[]): string => {
  const sentences = [...new Set(reasons.map(sentenceOf))]
  const more = sentences.length - SHOWN
  return `${sentences.slice(0, SHOWN).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/** Why no place was found, nearest miss first, short enough for an event (`spec/scheduling.md` 1.7). */
export const describeReasons = (reasons: readonly Reason[]): string => {
  const known = described.get(reasons)
  if (known !== undefined) return known
  const text = describe(reasons)
  described.set(reasons, text)
  return text
}
