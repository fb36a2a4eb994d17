/**
 * A programming error: a state that should be impossible. Only a developer can fix it, so it has no code in the catalogue of errors. `npm
 * run check` refuses a plain `Error` in product code (`tools/plain-error-rule.ts`).
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}
