/**
 * Describes what is wrong with a value, a document or a response. The function that reads the value throws it. The function that catches it
 * adds the name of the object, and throws an error with a code.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
}
