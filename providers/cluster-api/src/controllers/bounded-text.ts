/** The maximum length of the text. It is enough for about a dozen problems, and short enough for `kubectl describe` and a dashboard. */
const MOST = 2000

/** Joins sentences into a text of at most 2,000 characters. If some sentences do not fit, the end of the text states how many. */
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
