import type { KubeObject } from '@kerf/apis'
import type { WriteRequest } from '../resources/request.ts'
import type { Resource } from '../resources/resource.ts'
import type { JsonObject } from '../store/json.ts'

/** Where kinds that act on the API itself (CRDs, namespaces, services) take part in writes. */
export interface WriteHooks {
  /** The last word before a new object is stored; may throw. Also runs for a dry run. */
  beforeCreate(resource: Resource, draft: JsonObject, request: WriteRequest): void
  beforeUpdate(resource: Resource, before: KubeObject, draft: JsonObject): void
  afterStore(resource: Resource, before: KubeObject | undefined, object: KubeObject): void
  afterRemove(resource: Resource, object: KubeObject): void
}
