import type { KubeObject, LabelSelector, OwnerReference, ResourceKind } from '@kerf/apis'
import { controllerOwner, groupVersion } from '@kerf/apis'
import { type Informer, isNotFound, type KubeClient } from '@kerf/runtime'
import { selecting } from './label-selector.ts'

/** Returns the reference that marks `owner` as the controller of a child. */
export const controllerReference = (kind: ResourceKind, owner: KubeObject): OwnerReference => ({
  apiVersion: groupVersion(kind),
  kind: kind.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
})

const CONTROLLER_INDEX = 'sandbox.controller'
const NO_CONTROLLER = '-'

/** Indexes an informer by the uid of each object's controller. Objects without a controller are indexed by namespace. */
export const indexByController = (informer: Informer): void => informer.index(CONTROLLER_INDEX, controllerIndexValues)

// All callers must share one function, because the informer refuses to register an index again with another function.
const controllerIndexValues = (object: KubeObject): string[] => [
  controllerOwner(object)?.uid ?? `${NO_CONTROLLER}${object.metadata.namespace ?? ''}`,
]

/** Returns the children whose controller is `owner`, from the informer. */
export const ownedObjects = <T extends KubeObject>(informer: Informer<T>, owner: KubeObject): readonly T[] =>
  informer.by(CONTROLLER_INDEX, owner.metadata.uid ?? '')

/** Returns the objects of a namespace that have no controller. */
const orphansIn = <T extends KubeObject>(informer: Informer<T>, namespace: string): readonly T[] =>
  informer.by(CONTROLLER_INDEX, `${NO_CONTROLLER}${namespace}`)

/**
 * Adopts matching objects without a controller, and releases children that no longer match the selector. Returns the resulting children. An
 * owner that is being deleted adopts nothing.
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
  for (const child of [...ownedObjects(informer, owner)]) {
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
