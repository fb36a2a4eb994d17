/** Returns the number of single-character edits between two words. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** Returns the known word that is most similar to `word`, or `undefined` if none is similar enough. */
export const nearest = (word: string, known: Iterable<string>): string | undefined => {
  let best: string | undefined
  let least = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    const edits = distance(word, candidate)
    if (edits >= least) continue
    least = edits
    best = candidate
  }
  return best
}
