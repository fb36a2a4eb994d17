import type { Pod } from '@kerf/apis'

/** Owner kinds whose pods are interchangeable: a new pod of the owner can replace any other pod of it. */
const ALIKE = new Set(['ReplicaSet', 'ReplicationController', 'Job'])

/**
 * Returns a key for the pods that can replace one another: all pods of one owner or, for a StatefulSet, the pods of one name. Returns
 * undefined if no other pod can replace this pod.
 */
export const podFamily = ({ metadata }: Pod): string | undefined => {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined) return undefined
  if (ALIKE.has(owner.kind)) return owner.uid
  return owner.kind === 'StatefulSet' ? `${owner.uid}/${metadata.name}` : undefined
}
