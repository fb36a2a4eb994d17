import type { Pod } from '@kerf/apis'

/** Kinds of owners whose pods are interchangeable: any pod of the owner can replace another one. */
const ALIKE = new Set(['ReplicaSet', 'ReplicationController', 'Job'])

/**
 * Returns a key that all pods share which can replace one another: the pods of one owner or, for a StatefulSet, the pods of one name.
 * Returns `undefined` if no other pod can replace this pod.
 */
export const podFamily = ({ metadata }: Pod): string | undefined => {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined) return undefined
  if (ALIKE.has(owner.kind)) return owner.uid
  return owner.kind === 'StatefulSet' ? `${owner.uid}/${metadata.name}` : undefined
}
