/** Metadata that only the API server writes. Stored objects have these fields, and manifests do not. */
export const serverFields: readonly string[] = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
]
