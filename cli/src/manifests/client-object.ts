import type { KubeObject } from '@kerf/apis'

/** Kinds that a cluster creates by itself. */
const MADE = new Set(['Node', 'NodeClaim', 'Event', 'Lease', 'CSINode', 'EndpointSlice', 'Endpoints', 'ReplicaSet'])

/** Whether a cluster creates the object by itself, of other objects; as `kubectl get -o yaml` shows them besides. */
export const isMadeByCluster = ({ kind, metadata }: KubeObject): boolean =>
  MADE.has(kind) || metadata.ownerReferences?.some(({ controller }) => controller === true) === true

/** The object without what a server adds and no client may set. */
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
