import type { KubeList, KubeObject, NewObject, ResourceKind } from '@kerf/apis'
import type { ObjectRef, Patch } from '@kerf/runtime'
import type { Deletion } from '../operations/deleting.ts'
import type { ResourceEvent } from '../operations/reading.ts'
import type { DeleteRequest, ListRequest, WatchRequest, WriteRequest } from '../resources/request.ts'

/** The properties of a resource kind that identify a resource of the API. */
export type Kind = Pick<ResourceKind, 'group' | 'version' | 'plural'>

/**
 * The operations of an API server. Every operation completes synchronously and throws `ApiError` with the message of a real API server.
 * Returned objects are the stored objects, which are frozen and shared.
 */
export interface ApiOperations {
  get(kind: Kind, ref: ObjectRef): KubeObject
  list(kind: Kind, request: ListRequest): KubeList<KubeObject>
  watch(kind: Kind, request: WatchRequest): AsyncGenerator<ResourceEvent, void, void>
  create(kind: Kind, object: NewObject, request: WriteRequest, subresource?: string, namespace?: string): KubeObject
  /** `ref` is the object in the URL. Absent if the URL contains no object name. */
  update(kind: Kind, object: KubeObject, request: WriteRequest, subresource?: string, ref?: ObjectRef): KubeObject
  patch(kind: Kind, ref: ObjectRef, patch: Patch, request: WriteRequest, subresource?: string): KubeObject
  delete(kind: Kind, ref: ObjectRef, request: DeleteRequest): Deletion
  evict(pod: Required<ObjectRef>, request: DeleteRequest): Deletion
  bind(pod: Required<ObjectRef>, nodeName: string, request: WriteRequest): void
  /**
   * GETs a raw path: a discovery or OpenAPI document, an object, its scale, or a list. Throws 404 if the path is none of these.
   */
  raw(path: string): unknown
}
