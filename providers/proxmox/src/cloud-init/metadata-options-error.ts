/** `metadataOptions` of a node class cannot be used. The message says what to correct, and has no value of a Secret. */
export class MetadataOptionsError extends Error {
  override readonly name = 'MetadataOptionsError'
}
