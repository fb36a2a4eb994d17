import type { KubeObject, OwnerReference } from '../kubernetes/object.ts'

/** Returns the owner with `controller: true`, or undefined if there is none. There is at most one. */
export const controllerOwner = ({ metadata: { ownerReferences } }: KubeObject): OwnerReference | undefined =>
  ownerReferences?.find(({ controller }) => controller === true)

/** Returns whether the object has an owner of this resource kind. */
export const isOwnedBy = ({ metadata: { ownerReferences } }: KubeObject, apiVersion: string, kind: string): boolean =>
  ownerReferences?.some((owner) => owner.kind === kind && owner.apiVersion === apiVersion) ?? false
