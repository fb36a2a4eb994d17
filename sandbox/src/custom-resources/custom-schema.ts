import {
  describeFieldError,
  type KubeObject,
  ownValue,
  type FieldError as SchemaError,
  setOwnValue,
  validateScale,
} from '@kerf/apis'
import type { ScalePaths } from '../resources/resource.ts'
import { cloneObject, isObject, type JsonObject } from '../store/json.ts'
import type { FieldError } from '../store/status-errors.ts'
import { compileOnce } from './compile-once.ts'

/** The rules of one version of a custom resource. Drafts are changed in place. */
export interface CustomSchema {
  /** Drops what the schema does not know and returns its paths. */
  prune(draft: JsonObject): readonly string[]
  default(draft: JsonObject): void
  validate(draft: JsonObject, before: KubeObject | undefined, subresource: string | undefined): readonly FieldError[]
}

/**
 * Parts of objects (`spec`, `status`) that a schema has found valid. Once an object is stored they are frozen, and those
 * that the next write does not change come back with it: what holds for every valid part needs no second look.
 */
class StoredParts {
  readonly #valid = new WeakSet<object>()

  /** The object is about to be stored. */
  note(object: JsonObject): void {
    for (const [key, part] of Object.entries(object)) if (key !== 'metadata' && isObject(part)) this.#valid.add(part)
  }

  has(part: unknown): boolean {
    return isObject(part) && Object.isFrozen(part) && this.#valid.has(part)
  }

  /** The draft without them. */
  changed(draft: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(draft).filter(([, part]) => !this.has(part)))
  }

  /**
   * Makes the rest of `draft` hold exactly what `result` holds. Schemas leave metadata alone, and the writer goes on with
   * its own.
   */
  become(draft: JsonObject, result: object): void {
    const copy = cloneObject(result)
    for (const [key, part] of Object.entries(draft))
      if (ownValue(copy, key) === undefined && !this.has(part)) delete draft[key]
    for (const [key, part] of Object.entries(copy)) {
      const isKept = key === 'metadata' ? draft[key] !== undefined : this.has(ownValue(draft, key))
      if (!isKept) setOwnValue(draft, key, part)
    }
  }
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
  const schema = compileOnce(openApi)
  const stored = new StoredParts()
  return {
    prune(draft) {
      const changed = stored.changed(draft)
      const unknown = schema.unknownFields(changed)
      if (unknown.length > 0) stored.become(draft, schema.prune(changed))
      return unknown
    },
    default(draft) {
      stored.become(draft, schema.default(stored.changed(draft)))
    },
    validate(draft, before, subresource) {
      const old = before as unknown as JsonObject | undefined
      const errors =
        old === undefined
          ? schema.validateCreate(draft)
          : subresource === 'status'
            ? schema.validateStatusUpdate(draft, old)
            : schema.validateUpdate(draft, old)
      const all = [...errors, ...validateScale(scale, draft)]
      if (all.length === 0) stored.note(draft)
      return all.map(asFieldError)
    },
  }
}
