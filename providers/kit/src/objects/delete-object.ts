import type { KubeObject, ResourceKind } from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'

/**
 * Deletes this very object, of a kind without namespaces. Answers whether it was there.
 *
 * @throws ApiError when the API server refuses it, also because the name belongs to another object by now.
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
