import type { KubeObject } from '@kerf/apis'
import type { Key } from '../key.ts'
import type { ObjectRef } from '../kube-client/kube-client.ts'

/** Returns `namespace/name`, or `name` for a cluster-scoped object. */
export const informerKey = (object: KubeObject): Key => {
  const { namespace, name } = object.metadata
  return namespace === undefined || namespace === '' ? (name ?? '') : `${namespace}/${name ?? ''}`
}

/** Returns the reference that `informerKey` encoded. This is unambiguous, because names cannot contain a slash. */
export const parseKey = (key: Key): ObjectRef => {
  const slash = key.indexOf('/')
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}
