import type { KubeObject, ResourceKind } from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'

/**
 * Deletes one cluster-scoped object, identified by its uid. Returns whether it existed.
 *
 * @throws ApiError if the API server refuses the deletion, for example because another object now has the name.
 */
export const deleteObject = async <T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  { metadata: { name, uid } }: Pick<T, 'metadata'>,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    await client.delete(kind, { name }, { signal, ...(uid === undefined ? {} : { preconditions: { uid } }) })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
