import type { KubeObject } from '@kerf/apis'

/** Kinds whose objects the cluster creates itself. */
const MADE = new Set(['Node', 'NodeClaim', 'Event', 'Lease', 'CSINode', 'EndpointSlice', 'Endpoints', 'ReplicaSet'])

/** Returns whether the cluster itself creates the object. The output of `kubectl get -o yaml` can contain these objects. */
export const isMadeByCluster = ({ kind, metadata }: KubeObject): boolean =>
  MADE.has(kind) || metadata.ownerReferences?.some(({ controller }) => controller === true) === true

/** Returns the object without status and without the metadata that only the API server sets. */
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
