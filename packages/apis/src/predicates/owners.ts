import type { KubeObject, OwnerReference } from '../kubernetes/object.ts'

/** Returns the owner with `controller: true`. There is at most one. */
export const controllerOwner = ({ metadata: { ownerReferences } }: KubeObject): OwnerReference | undefined =>
  ownerReferences?.find(({ controller }) => controller === true)

/** Returns whether an object of this kind is among the owners. */
export const isOwnedBy = ({ metadata: { ownerReferences } }: KubeObject, apiVersion: string, kind: string): boolean =>
  ownerReferences?.some((owner) => owner.kind === kind && owner.apiVersion === apiVersion) ?? false
