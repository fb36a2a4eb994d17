/**
 * An instance-type file that cannot be used: says which file, which entry and field, and what is wrong with it. Wrong
 * input, so a command ends with exit code 2.
 */
export class InstanceTypeFileError extends Error {
  override readonly name = 'InstanceTypeFileError'
  readonly exitCode = 2
  readonly fileName: string
  /** Where in the file: `[12].offerings[3].Price`; empty for the file as a whole. */
  readonly field: string

  constructor(fileName: string, field: string, problem: string, options?: ErrorOptions) {
    super(
      `instance-type file ${fileName}${field === '' ? '' : `, ${field}`}: ${problem}; correct the file, or leave it out for the built-in instance types`,
      options,
    )
    this.fileName = fileName
    this.field = field
  }
}
