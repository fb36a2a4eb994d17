/** An instance-type file that cannot be used: says which file, which entry and field, and what is wrong with it. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError'
  readonly fileName: string
  /** Where in the file: `[12].offerings[3].Price`; empty for the file as a whole. */
  readonly field: string

  constructor(fileName: string, field: string, problem: string, options?: ErrorOptions) {
    super(`instance-type file ${fileName}${field === '' ? '' : `, ${field}`}: ${problem}`, options)
    this.fileName = fileName
    this.field = field
  }
}
