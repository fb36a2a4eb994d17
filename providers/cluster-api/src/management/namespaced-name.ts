import type { NamespacedName } from './management-cluster.ts'

/** `namespace/name`, as upstream's provider writes and reads it: two parts, neither empty, white space around them left out. */
export const namespacedName = (text: string | undefined): NamespacedName | undefined => {
  const [namespace = '', name = '', ...more] = (text ?? '').split('/').map((part) => part.trim())
  return namespace === '' || name === '' || more.length > 0 ? undefined : { namespace, name }
}

export const textOfName = ({ namespace, name }: NamespacedName): string => `${namespace}/${name}`
