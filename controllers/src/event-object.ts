import { apiVersionOf, type KubeObject, type ResourceKind } from '@kerf/apis'

/** The object with its kind and version, which informers may leave out and an Event needs. */
export const eventObject = <T extends KubeObject>(kind: ResourceKind<T>, object: T): T => ({
  ...object,
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
})
