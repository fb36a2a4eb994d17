import type { ObjectMeta } from '@kerf/apis'

/** Returns the key under which results about the current generation of a node class are cached. If the spec changes, the key changes. */
export const nodeClassKey = ({
  metadata,
}: {
  readonly metadata: Pick<ObjectMeta, 'name' | 'uid' | 'generation'>
}): string => `${metadata.uid ?? metadata.name}-${metadata.generation ?? 0}`
