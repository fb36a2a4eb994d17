import type { Pod } from '@kerf/apis'

/** Owners whose pods are interchangeable, so that one can replace another. */
const ALIKE = new Set(['ReplicaSet', 'ReplicationController', 'Job'])

/**
 * Returns a key that is equal for pods that replace each other: pods of one owner, or pods of one name for a StatefulSet. Returns
 * `undefined` for a pod that no other pod replaces.
 */
export const podFamily = ({ metadata }: Pod): string | undefined => {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined) return undefined
  if (ALIKE.has(owner.kind)) return owner.uid
  return owner.kind === 'StatefulSet' ? `${owner.uid}/${metadata.name}` : undefined
}
