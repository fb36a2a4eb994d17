import { controllerOf, type KubeObject, type Pod, type ResourceKind } from '@kerf/apis'
import { type Informer, type Key, keyOf, type Source } from '@kerf/runtime'
import type { ClusterContext } from './cluster-context.ts'

/** The key of the owner of kind `kind` that manages the object. */
const ownerKey = (kind: ResourceKind, object: KubeObject | undefined): Key | undefined => {
  const owner = object === undefined ? undefined : controllerOf(object)
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
    return object === undefined ? [] : [keyOf(object)]
  },
})

const NODE_INDEX = 'sandbox.node'
// One function for all callers, so that registering again is free.
const nodeOf = (pod: Pod): string[] => (pod.spec.nodeName ? [pod.spec.nodeName] : [])

/** Indexes the mirror of pods for `podsOn`. */
export const indexByNode = (pods: Informer<Pod>): void => pods.index(NODE_INDEX, nodeOf)

/** The pods bound to a node, from an indexed mirror. */
export const podsOn = (pods: Informer<Pod>, node: string): readonly Pod[] => pods.by(NODE_INDEX, node)
