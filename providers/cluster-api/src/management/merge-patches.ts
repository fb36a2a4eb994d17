import type { KubeObject, ResourceKind } from '@kerf/apis'
import { ownValue, setOwnValue } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import type { NamespacedName } from './management-cluster.ts'

/** A merge patch as the API server applies it: null takes a field away, objects are merged, everything else is replaced (RFC 7386). */
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
 * The same write without the verb `patch`, for roles that grant `get` and `update`. It is exact too: the update carries the
 * resourceVersion of the read, or the one that the patch demands.
 */
export const updateInstead = async <T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  name: NamespacedName,
  patch: object,
  signal: AbortSignal,
): Promise<T> => {
  const present = await client.get(kind, name, { signal })
  // Whoever patches an object of a type leaves one of that type, as with the API server's own patch.
  return await client.update(kind, merged(present, patch) as T, { signal })
}
