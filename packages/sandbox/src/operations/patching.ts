import type { KubeObject } from '@kerf/apis'
import { setOwnValue } from '@kerf/apis'
import { ApiError, type Patch } from '@kerf/runtime'
import { applyConfiguration } from '../patch/apply/server-side-apply.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import { applyStrategicPatch } from '../patch/strategic-patch.ts'
import type { ApiState } from '../resources/api-state.ts'
import type { WriteRequest } from '../resources/request.ts'
import type { Resource } from '../resources/resource.ts'
import { collectionKey } from '../store/collection.ts'
import { clone, cloneObject, isObject, type JsonObject } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'
import type { Writing } from './writing.ts'

/** Applies the four patch formats on top of update. */
export class Patching {
  private readonly state: ApiState
  private readonly writing: Writing

  constructor(state: ApiState, writing: Writing) {
    this.state = state
    this.writing = writing
  }

  /** Patches an object. `created` is true if an apply has created it. Throws `ApiError`. */
  patch(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    patch: Patch,
    request: WriteRequest,
    subresource?: string,
  ): { readonly object: KubeObject; readonly created: boolean } {
    if (patch.type === 'apply')
      return this.apply(resource, namespace, name, patch.body, patch.force === true, request, subresource)
    const { type, body } = patch
    const change = (before: KubeObject): JsonObject => {
      const draft = draftOf(before, patch, resource, subresource)
      // The patch is applied to the latest version of the object, so it conflicts only if the patch itself contains a different
      // resourceVersion.
      switch (type) {
        case 'json':
          return applyJsonPatch(draft, body)
        case 'merge':
          return applyMergePatch(draft, cloneObject(body))
        case 'strategic':
          if (resource.custom !== undefined) throw unsupported()
          return applyStrategicPatch(draft, cloneObject(body), resource.schema)
      }
    }
    const object = this.writing.update(resource, namespace, name, change, request, {
      unconditional: true,
      isPatch: true,
      ...(subresource === undefined ? {} : { subresource }),
    })
    return { object, created: false }
  }

  private apply(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    body: object,
    force: boolean,
    request: WriteRequest,
    subresource: string | undefined,
  ): { readonly object: KubeObject; readonly created: boolean } {
    if (request.fieldManager === undefined || request.fieldManager === '') {
      throw new ApiError({
        code: 422,
        reason: 'Invalid',
        message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
        details: {
          group: 'meta.k8s.io',
          kind: 'PatchOptions',
          causes: [
            {
              reason: 'FieldValueRequired',
              message: 'Required value: is required for apply patch',
              field: 'fieldManager',
            },
          ],
        },
      })
    }
    const applied = { manager: request.fieldManager, force, now: this.state.clock.now(), subresource }
    const before = resource.collection.get(collectionKey(resource.namespaced ? namespace : undefined, name))
    if (before === undefined) {
      if (subresource !== undefined) throw statusErrors.notFound(resource, name)
      const draft = applyConfiguration(resource, undefined, cloneObject(body), applied)
      const metadata = draft['metadata']
      if (isObject(metadata) && metadata['name'] === undefined) metadata['name'] = name
      return {
        object: this.writing.create(resource, namespace, draft, request, { ownershipRecorded: true }),
        created: true,
      }
    }
    const object = this.writing.update(
      resource,
      namespace,
      name,
      (current) => applyConfiguration(resource, current, cloneObject(body), applied),
      request,
      {
        ownershipRecorded: true,
        unconditional: true,
        isPatch: true,
        ...(subresource === undefined ? {} : { subresource }),
      },
    )
    return { object, created: false }
  }
}

/**
 * Returns a copy of the object that the patch can modify. The copy of a custom resource or of a status shares with the frozen stored object
 * all fields that the patch does not contain. A JSON patch, and a patch of anything else, gets a full copy.
 */
const draftOf = (
  before: KubeObject,
  { type, body }: Patch,
  resource: Resource,
  subresource: string | undefined,
): JsonObject => {
  if (type === 'json' || (resource.custom === undefined && subresource !== 'status')) return cloneObject(before)
  const draft: JsonObject = {}
  for (const [key, part] of Object.entries(before)) {
    setOwnValue(draft, key, key === 'metadata' || Object.hasOwn(body, key) ? clone(part) : part)
  }
  return draft
}

const unsupported = (): ApiError =>
  new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
  })
