import {
  compileCrdSchema,
  describeFieldError,
  type KubeObject,
  type FieldError as SchemaError,
  validateScale,
} from '@kerf/apis'
import type { ScalePaths } from '../api/resource.ts'
import { cloneObject, type JsonObject } from '../store/json.ts'
import type { FieldError } from '../store/status-errors.ts'

/** The rules of one version of a custom resource. Drafts are changed in place. */
export interface CustomSchema {
  /** Drops what the schema does not know and returns its paths. */
  prune(draft: JsonObject): readonly string[]
  default(draft: JsonObject): void
  validate(draft: JsonObject, before: KubeObject | undefined, subresource: string | undefined): readonly FieldError[]
}

/** Makes `draft` hold exactly what `result` holds. Schemas leave metadata alone, and the writer goes on with its own. */
const become = (draft: JsonObject, result: object): void => {
  const { metadata } = draft
  const copy = cloneObject(result)
  for (const key of Object.keys(draft)) if (copy[key] === undefined) delete draft[key]
  Object.assign(draft, copy, metadata === undefined ? {} : { metadata })
}

const asFieldError = (error: SchemaError): FieldError => ({
  field: error.field === '' ? '<nil>' : error.field,
  reason: error.reason,
  message: describeFieldError(error),
})

/**
 * Compiles an `openAPIV3Schema`, and with it the bounds of the scale subresource. Throws when one of its rules cannot be
 * compiled.
 */
export const compileCustomSchema = (openApi: JsonObject, scale?: ScalePaths): CustomSchema => {
  const schema = compileCrdSchema(openApi)
  return {
    prune(draft) {
      const unknown = schema.unknownFields(draft)
      if (unknown.length > 0) become(draft, schema.prune(draft))
      return unknown
    },
    default(draft) {
      become(draft, schema.default(draft))
    },
    validate(draft, before, subresource) {
      const old = before as unknown as JsonObject | undefined
      const errors =
        old === undefined
          ? schema.validateCreate(draft)
          : subresource === 'status'
            ? schema.validateStatusUpdate(draft, old)
            : schema.validateUpdate(draft, old)
      return [...errors, ...validateScale(scale, draft)].map(asFieldError)
    },
  }
}
