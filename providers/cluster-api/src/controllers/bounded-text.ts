/** Room for a dozen problems; `kubectl describe` and a dashboard show it whole. */
const MOST = 2000

/** Sentences in one text of at most 2,000 characters; how many did not fit is said at its end. */
export const boundedText = (sentences: readonly string[]): string => {
  const distinct = [...new Set(sentences)]
  let text = ''
  for (const [index, sentence] of distinct.entries()) {
    const next = text === '' ? sentence : `${text} ${sentence}`
    const rest = distinct.length - index
    if (next.length > MOST) return text === '' ? `${sentence.slice(0, MOST - 1)}…` : `${text} And ${rest} more.`
    text = next
  }
  return text
}
