import type { ObjectMeta } from '@kerf/apis'

/** Returns the cache key for results about the current generation of a node class. It changes whenever the spec changes. */
export const nodeClassKey = ({
  metadata,
}: {
  readonly metadata: Pick<ObjectMeta, 'name' | 'uid' | 'generation'>
}): string => `${metadata.uid ?? metadata.name}-${metadata.generation ?? 0}`
