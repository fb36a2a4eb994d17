/** Metadata that the API server alone writes: live objects carry it, manifests do not. */
export const serverFields: readonly string[] = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
]
