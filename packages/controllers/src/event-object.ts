import { groupVersion, type KubeObject, type ResourceKind } from '@kerf/apis'

/** Returns the object with `kind` and `apiVersion`, which Events require. Objects from informers may lack both fields. */
export const eventObject = <T extends KubeObject>(kind: ResourceKind<T>, object: T): T => ({
  ...object,
  apiVersion: groupVersion(kind),
  kind: kind.kind,
})
