import type { KubeObject, OwnerReference } from '../kubernetes/object.ts'

/** The owner that manages the object: at most one reference has `controller: true`. */
export const controllerOf = ({ metadata: { ownerReferences } }: KubeObject): OwnerReference | undefined =>
  ownerReferences?.find(({ controller }) => controller === true)

/** Whether an object of this kind is among the owners. */
export const isOwnedBy = ({ metadata: { ownerReferences } }: KubeObject, apiVersion: string, kind: string): boolean =>
  ownerReferences?.some((owner) => owner.kind === kind && owner.apiVersion === apiVersion) ?? false
