import { controllerOwner, type KubeObject, type ResourceKind } from '@kerf/apis'
import { informerKey, type Key, type Source } from '@kerf/runtime'
import type { ClusterContext } from './cluster-context.ts'

/** Returns the key of the object's controller if the controller is of kind `kind`. */
const ownerKey = (kind: ResourceKind, object: KubeObject | undefined): Key | undefined => {
  const owner = object === undefined ? undefined : controllerOwner(object)
  return owner?.kind === kind.kind ? `${object?.metadata.namespace ?? ''}/${owner.name}` : undefined
}

/** Triggers an owner of kind `kind` when one of its children changes. */
export const childSource = <T extends KubeObject>(
  context: ClusterContext,
  child: ResourceKind<T>,
  owner: ResourceKind,
): Source<T> => ({
  informer: context.informers.of(child),
  keysOf: ({ before, after }) => {
    const keys = [ownerKey(owner, before), ownerKey(owner, after)].filter((key) => key !== undefined)
    return new Set(keys)
  },
})

/** Triggers an object by its own changes. */
export const ownSource = <T extends KubeObject>(context: ClusterContext, kind: ResourceKind<T>): Source<T> => ({
  informer: context.informers.of(kind),
  keysOf: ({ before, after }) => {
    const object = after ?? before
    return object === undefined ? [] : [informerKey(object)]
  },
})
