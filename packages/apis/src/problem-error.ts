/**
 * What is wrong with a value, a document or an answer, for the function that reads it. The function that catches it adds the name of
 * the object, and gives the error its code.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
}
