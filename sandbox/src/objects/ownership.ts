import type { KubeObject, LabelSelector, OwnerReference, ResourceKind } from '@kerf/apis'
import { apiVersionOf, controllerOf } from '@kerf/apis'
import { type Informer, isNotFound, type KubeClient } from '@kerf/runtime'
import { selecting } from './label-selector.ts'

/** The reference that marks `owner` as the manager of a child. */
export const controllerReference = (kind: ResourceKind, owner: KubeObject): OwnerReference => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
})

const CONTROLLER_INDEX = 'sandbox.controller'
const NO_CONTROLLER = '-'

/** Indexes an informer by the uid of each object's controller; those without one are found by their namespace. */
export const indexByController = (informer: Informer): void => informer.index(CONTROLLER_INDEX, controllerIndexValues)

// One function for all callers, so that registering again is free.
const controllerIndexValues = (object: KubeObject): string[] => [
  controllerOf(object)?.uid ?? `${NO_CONTROLLER}${object.metadata.namespace ?? ''}`,
]

/** The children whose controller is `owner`, from the mirror. */
export const childrenOf = <T extends KubeObject>(informer: Informer<T>, owner: KubeObject): readonly T[] =>
  informer.by(CONTROLLER_INDEX, owner.metadata.uid ?? '')

/** The objects of a namespace that no controller manages. */
const orphansIn = <T extends KubeObject>(informer: Informer<T>, namespace: string): readonly T[] =>
  informer.by(CONTROLLER_INDEX, `${NO_CONTROLLER}${namespace}`)

/**
 * The owner's children after adoption and release: objects that match the selector and have no controller become its
 * own, children that no longer match are let go. Nothing is adopted by an owner on its way out.
 */
export const claimChildren = async <T extends KubeObject>(
  client: KubeClient,
  informer: Informer<T>,
  kinds: { readonly owner: ResourceKind; readonly child: ResourceKind<T> },
  owner: KubeObject,
  selector: LabelSelector | undefined,
): Promise<T[]> => {
  const namespace = owner.metadata.namespace ?? ''
  const isSelected = selecting(selector)
  const claimed: T[] = []
  const write = async (child: T, ownerReferences: readonly OwnerReference[]): Promise<T | undefined> => {
    const body = { metadata: { uid: child.metadata.uid, ownerReferences } }
    try {
      return await client.patch(kinds.child, { name: child.metadata.name, namespace }, { type: 'merge', body })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }
  for (const child of [...childrenOf(informer, owner)]) {
    if (isSelected(child.metadata.labels)) {
      claimed.push(child)
      continue
    }
    if (owner.metadata.deletionTimestamp !== undefined || child.metadata.deletionTimestamp !== undefined) continue
    await write(
      child,
      (child.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== owner.metadata.uid),
    )
  }
  if (owner.metadata.deletionTimestamp !== undefined) return claimed
  for (const orphan of [...orphansIn(informer, namespace)]) {
    if (orphan.metadata.deletionTimestamp !== undefined || !isSelected(orphan.metadata.labels)) continue
    const adopted = await write(orphan, [
      ...(orphan.metadata.ownerReferences ?? []),
      controllerReference(kinds.owner, owner),
    ])
    if (adopted !== undefined) claimed.push(adopted)
  }
  return claimed
}
