import type { KubeObject } from '@kerf/apis'
import type { WriteRequest } from '../resources/request.ts'
import type { Resource } from '../resources/resource.ts'
import type { JsonObject } from '../store/json.ts'

/** Hooks through which resource kinds that affect the API itself (CRDs, namespaces, services) take part in writes. */
export interface WriteHooks {
  /** Runs last before a new object is stored, also in a dry run. May throw. */
  beforeCreate(resource: Resource, draft: JsonObject, request: WriteRequest): void
  beforeUpdate(resource: Resource, before: KubeObject, draft: JsonObject): void
  afterStore(resource: Resource, before: KubeObject | undefined, object: KubeObject): void
  afterRemove(resource: Resource, object: KubeObject): void
}
