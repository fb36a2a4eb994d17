/** Thrown when a term selects no image, and only a change of the node class or of the cluster can help. */
export class ImageSelectionError extends Error {
  override readonly name = 'ImageSelectionError'
}
