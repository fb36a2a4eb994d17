/**
 * Thrown if `metadataOptions` of a node class are unusable. The message explains what to correct, and never contains a value from a Secret.
 */
export class MetadataOptionsError extends Error {
  override readonly name = 'MetadataOptionsError'
}
