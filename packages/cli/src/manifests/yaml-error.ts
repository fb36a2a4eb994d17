/** An error in a YAML text, with line and column counted from 1. */
export class YamlError extends Error {
  readonly line: number
  readonly column: number

  constructor(message: string, line: number, column: number) {
    super(message)
    this.line = line
    this.column = column
  }
}
