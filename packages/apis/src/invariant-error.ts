/**
 * A programming error: a state that the code excludes. Nobody but a developer can act on it, so it has no code in the catalogue.
 * `npm run check` refuses a plain `Error` in product code (`tools/plain-error-rule.ts`).
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}
