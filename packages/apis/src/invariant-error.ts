/**
 * A programming error: a state that the code rules out. Only a developer can do anything about it, so it has no code in the
 * catalogue of errors. `npm run check` refuses a plain `Error` in product code (`tools/plain-error-rule.ts`).
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}
