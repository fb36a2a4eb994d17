/** User data that cannot be merged with what joins a node to the cluster. Says which format is expected and what to do. */
export class UserDataError extends Error {
  override readonly name = 'UserDataError'
  readonly format: 'MIME' | 'TOML' | 'YAML'

  constructor(format: 'MIME' | 'TOML' | 'YAML', problem: string, remedy: string, options?: ErrorOptions) {
    super(`spec.userData is not ${format} as it should be: ${problem}; ${remedy}`, options)
    this.format = format
  }
}
