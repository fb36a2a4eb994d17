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

/** The rules of one version of a custom resource. Its functions modify the object being written (not yet stored) in place. */
export interface CustomSchema {
  /** Drops unknown fields from the draft and returns their paths. */
  prune(draft: JsonObject): readonly string[]
  default(draft: JsonObject): void
  validate(draft: JsonObject, before: KubeObject | undefined, subresource: string | undefined): readonly FieldError[]
}

/**
 * Records which top-level fields of stored objects (`spec`, `status`) are valid according to the schema. Their values are frozen, and the
 * next write reuses the values that it does not change. These need not be validated again.
 */
class StoredParts {
  readonly #valid = new WeakSet<object>()

  /** Marks the top-level fields of an object that is about to be stored as valid. */
  note(object: JsonObject): void {
    for (const [key, part] of Object.entries(object)) if (key !== 'metadata' && isObject(part)) this.#valid.add(part)
  }

  has(part: unknown): boolean {
    return isObject(part) && Object.isFrozen(part) && this.#valid.has(part)
  }

  /** Returns the draft without the fields that are known to be valid. */
  changed(draft: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(draft).filter(([, part]) => !this.has(part)))
  }

  /** Replaces the content of `draft` with that of `result`. Keeps the metadata of `draft`, because schemas do not change metadata. */
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

/** Compiles an `openAPIV3Schema` with the bounds of the scale subresource. Throws if one of its rules does not compile. */
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
