import type { KubeObject } from '@kerf/apis'

/** Kinds that a cluster creates itself. */
const MADE = new Set(['Node', 'NodeClaim', 'Event', 'Lease', 'CSINode', 'EndpointSlice', 'Endpoints', 'ReplicaSet'])

/** Returns whether the cluster creates the object itself. `kubectl get -o yaml` also prints such objects. */
export const isMadeByCluster = ({ kind, metadata }: KubeObject): boolean =>
  MADE.has(kind) || metadata.ownerReferences?.some(({ controller }) => controller === true) === true

/** Returns the object without status and server-managed metadata, which clients cannot set. */
export const clientObject = <T extends KubeObject>(object: T): T => {
  const {
    uid: _,
    resourceVersion: __,
    creationTimestamp: ___,
    generation: ____,
    managedFields: _____,
    ...metadata
  } = object.metadata
  const { status: ______, ...rest }: T & { status?: unknown } = object
  return { ...rest, metadata } as T
}
