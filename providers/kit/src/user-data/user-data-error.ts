/** Thrown for user data that cannot be merged with the node's bootstrap data. The message contains the expected format and the remedy. */
export class UserDataError extends Error {
  override readonly name = 'UserDataError'
  readonly format: 'MIME' | 'TOML' | 'YAML'

  constructor(format: 'MIME' | 'TOML' | 'YAML', problem: string, remedy: string, options?: ErrorOptions) {
    super(`spec.userData is not valid ${format}: ${problem}; ${remedy}`, options)
    this.format = format
  }
}
