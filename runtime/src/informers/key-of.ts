import type { KubeObject } from '@kerf/apis'
import type { Key } from '../key.ts'
import type { ObjectRef } from '../kube-client/kube-client.ts'

/** `namespace/name`, or `name` for a cluster-scoped object. */
export const keyOf = (object: KubeObject): Key => {
  const { namespace, name } = object.metadata
  return namespace === undefined || namespace === '' ? (name ?? '') : `${namespace}/${name ?? ''}`
}

/** The reverse of `keyOf`: names cannot hold a slash. */
export const refOf = (key: Key): ObjectRef => {
  const slash = key.indexOf('/')
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}
