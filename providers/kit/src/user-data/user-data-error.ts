/**
 * Thrown for user data that cannot be merged with the node's bootstrap data. The message says which format is expected and what to do.
 */
export class UserDataError extends Error {
  override readonly name = 'UserDataError'
  readonly format: 'MIME' | 'TOML' | 'YAML'

  constructor(format: 'MIME' | 'TOML' | 'YAML', problem: string, remedy: string, options?: ErrorOptions) {
    super(`spec.userData is not valid ${format}: ${problem}; ${remedy}`, options)
    this.format = format
  }
}
