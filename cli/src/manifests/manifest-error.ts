/** A manifest that cannot be used. The message is one line: file, place, what is wrong, and what to do. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}
