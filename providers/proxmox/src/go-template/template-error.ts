/** A template that cannot be parsed or executed. The message names the line, and never a value. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`)
  }
}

/** A problem of a function call. The caller adds the line. */
export class FunctionProblem extends Error {
  override readonly name = 'FunctionProblem'
}
