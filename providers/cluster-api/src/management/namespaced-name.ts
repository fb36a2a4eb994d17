import type { NamespacedName } from './management-cluster.ts'

/** Parses `namespace/name` in the format of upstream's provider: two parts that are not empty. Ignores surrounding white space. */
export const namespacedName = (text: string | undefined): NamespacedName | undefined => {
  const [namespace = '', name = '', ...more] = (text ?? '').split('/').map((part) => part.trim())
  return namespace === '' || name === '' || more.length > 0 ? undefined : { namespace, name }
}

export const textOfName = ({ namespace, name }: NamespacedName): string => `${namespace}/${name}`
