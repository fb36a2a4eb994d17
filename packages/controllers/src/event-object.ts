import { apiVersionOf, type KubeObject, type ResourceKind } from '@kerf/apis'

/** Returns the object with its `kind` and `apiVersion`. Informers may omit both, but an Event needs them. */
export const eventObject = <T extends KubeObject>(kind: ResourceKind<T>, object: T): T => ({
  ...object,
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
})
