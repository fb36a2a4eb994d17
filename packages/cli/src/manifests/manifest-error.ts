import { commandErrors, UsageError } from '@kerf/provider-kit/command-line'

/** An error about a manifest that cannot be used. The message is one line: file, line, what is wrong, and what to do. */
export class ManifestError extends UsageError {
  override readonly name = 'ManifestError'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options, commandErrors.WrongManifest)
  }
}
