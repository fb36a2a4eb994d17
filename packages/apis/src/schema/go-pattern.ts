import { RE2JS, RE2JSException } from 're2js'

/** Schemas of one cluster have a few hundred patterns. The limit bounds the memory of patterns that CEL rules compute. */
const MOST_CACHED = 2_000

const cache = new Map<string, RE2JS>()

/** Thrown for a regular expression that Go refuses. The message is Go's. */
export class GoPatternError extends Error {}

/**
 * Returns the compiled regular expression in Go's syntax (RE2), as schemas, CEL rules and Go programs use it. `test` looks for a match
 * anywhere in the text.
 *
 * @throws GoPatternError if Go refuses the expression.
 */
export const goPattern = (pattern: string): RE2JS => {
  const cached = cache.get(pattern)
  if (cached !== undefined) return cached
  try {
    const compiled = RE2JS.compile(pattern)
    if (cache.size >= MOST_CACHED) cache.clear()
    cache.set(pattern, compiled)
    return compiled
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new GoPatternError(error.message)
  }
}

/** Returns the matches from left to right, without overlaps, and at most `limit` of them. Without a limit, returns all. */
export const goMatches = (pattern: string, text: string, limit = -1): readonly string[] =>
  goPattern(pattern).re2().findAll(text, limit) ?? []
