/** Metadata that only the API server writes. Live objects have it, manifests do not. */
export const serverFields: readonly string[] = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
]
