import type { ObjectMeta } from '@kerf/apis'

/** Returns the cache key for what was found for the current generation of a node class. If the spec changes, the key changes. */
export const nodeClassKey = ({
  metadata,
}: {
  readonly metadata: Pick<ObjectMeta, 'name' | 'uid' | 'generation'>
}): string => `${metadata.uid ?? metadata.name}-${metadata.generation ?? 0}`
