import type { KubeObject, ResourceKind } from '@kerf/apis'
import { ownValue, setOwnValue } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import type { NamespacedName } from './management-cluster.ts'

/** Applies a merge patch like the API server. Null removes a field, objects are merged, and everything else is replaced (RFC 7386). */
const merged = (value: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch
  const result: Record<string, unknown> = isObject(value) ? { ...value } : {}
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key]
    else setOwnValue(result, key, merged(ownValue(result, key), change))
  }
  return result
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Makes the same change as a merge patch but without the verb `patch`, for roles that grant only `get` and `update`. It is equally
 * safe, because the update contains a resourceVersion: the one that the patch requires, or otherwise that of the read.
 */
export const updateInstead = async <T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  name: NamespacedName,
  patch: object,
  signal: AbortSignal,
): Promise<T> => {
  const present = await client.get(kind, name, { signal })
  // The patched object has the same type, as with the API server's own patch.
  return await client.update(kind, merged(present, patch) as T, { signal })
}
