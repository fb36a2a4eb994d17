/** Thrown if a template cannot be parsed or executed. The message contains the line, but never a value. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`)
  }
}

/** Thrown for a problem of a function call. The caller adds the line. */
export class FunctionProblem extends Error {
  override readonly name = 'FunctionProblem'
}
