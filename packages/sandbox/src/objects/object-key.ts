import type { Key, ObjectRef } from '@kerf/runtime'

/** Returns the namespace and name of a namespaced object's key. */
export const namespacedRef = (key: Key): Required<ObjectRef> => {
  const slash = key.indexOf('/')
  return { namespace: slash < 0 ? '' : key.slice(0, slash), name: key.slice(slash + 1) }
}
