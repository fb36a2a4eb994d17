import type { Pod } from '@kerf/apis'

/** Kinds of owners whose pods are interchangeable, so that any of them can replace another. */
const ALIKE = new Set(['ReplicaSet', 'ReplicationController', 'Job'])

/**
 * Returns a key that is the same for all pods that replace each other: the pods of one owner, or the pods of one name for a
 * StatefulSet. Returns `undefined` if no other pod replaces this pod.
 */
export const podFamily = ({ metadata }: Pod): string | undefined => {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined) return undefined
  if (ALIKE.has(owner.kind)) return owner.uid
  return owner.kind === 'StatefulSet' ? `${owner.uid}/${metadata.name}` : undefined
}
