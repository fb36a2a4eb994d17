import type { KubeObject, ResourceKind } from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'

/**
 * Deletes exactly one cluster-scoped object, identified by its uid. Returns true if it existed.
 *
 * @throws ApiError if the API server refuses the deletion, for example because another object has the name now.
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
