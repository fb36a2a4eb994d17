import type { KubeObject } from '@kerf/apis'
import type { Key, ObjectRef } from '@kerf/runtime'

/** `namespace/name`, or `name` for cluster-scoped objects: the form of informer and queue keys. */
export const keyOf = (object: KubeObject): Key =>
  object.metadata.namespace === undefined
    ? (object.metadata.name ?? '')
    : `${object.metadata.namespace}/${object.metadata.name ?? ''}`

/** The object that a key names. */
export const refOf = (key: Key): ObjectRef => {
  const slash = key.indexOf('/')
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}

/** The name of a namespaced object, whole. */
export const namespacedRefOf = (key: Key): Required<ObjectRef> => {
  const slash = key.indexOf('/')
  return { namespace: slash < 0 ? '' : key.slice(0, slash), name: key.slice(slash + 1) }
}
