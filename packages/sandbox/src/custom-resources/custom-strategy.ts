import { ApiError } from '@kerf/runtime'
import type { Strategy } from '../resources/resource.ts'
import { decode } from '../schema/decode.ts'
import { objectMetaType, type TypeSchema } from '../schema/type-schema.ts'
import { objectAt } from '../store/json.ts'
import type { CustomSchema } from './custom-schema.ts'

const envelope: TypeSchema = {
  name: 'CustomResource',
  atomic: false,
  open: true,
  fields: new Map([['metadata', { object: objectMetaType }]]),
}

/** Returns the write rules of a custom resource: the CRD's schema prunes, defaults and validates its objects. */
export const customStrategy = (kind: string, schema: CustomSchema, hasStatus: boolean): Strategy => ({
  keepsGeneration: true,
  hasStatus,
  statusWritesMetadata: false,
  unconditionalUpdate: false,
  createOnUpdate: false,

  decode(draft, request) {
    const found = decode(draft, envelope, kind)
    const unknown = [...found.unknown, ...schema.prune(draft).map((path) => `unknown field "${path}"`)]
    schema.default(draft)
    const [mismatch] = found.mismatches
    if (mismatch !== undefined) throw new ApiError({ code: 400, reason: 'BadRequest', message: mismatch.go })
    if (unknown.length === 0) return
    if (request.fieldValidation === 'Strict') {
      const apiVersion = String(draft['apiVersion'])
      const version = apiVersion.slice(apiVersion.lastIndexOf('/') + 1)
      throw new ApiError({
        code: 400,
        reason: 'BadRequest',
        message: `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${unknown.join(', ')}`,
      })
    }
    if (request.fieldValidation === 'Warn') for (const one of unknown) request.warn?.(one)
  },

  prepareCreate(draft) {
    if (!hasStatus) return
    delete draft['status']
    // Like a real API server, applies the schema's defaults, including those of the status, whenever an object is read from the store.
    schema.default(draft)
  },

  prepareUpdate() {
    // The only defaults of a custom resource are those in its schema, and decoding has already applied them.
  },

  validate: (draft, before, subresource) => [...schema.validate(draft, before, subresource)],
})

/** Returns whether a version of a CRD has the status subresource. */
export const servesStatus = (version: unknown): boolean =>
  objectAt(objectAt(version, 'subresources'), 'status') !== undefined
