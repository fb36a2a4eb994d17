/**
 * Thrown for an instance-type file that cannot be used. The message contains the file, the entry, the field and the problem. It is an input
 * error, so the command exits with code 2.
 */
export class InstanceTypeFileError extends Error {
  override readonly name = 'InstanceTypeFileError'
  readonly exitCode = 2
  readonly fileName: string
  /** The position in the file, for example `[12].offerings[3].Price`. Empty if the whole file is the problem. */
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
