import { withDefaults } from './defaults.ts'
import { validateEmbeddedObjects } from './embedded-objects.ts'
import { blocksRules, type FieldError } from './field-error.ts'
import { validateListTypes } from './list-types.ts'
import { pruneObject } from './prune.ts'
import { compileRules, validateRules } from './rule-validation.ts'
import type { JsonObject, StructuralSchema } from './structural-schema.ts'
import { validateValue } from './value-validation.ts'

/**
 * What an API server does to objects of one custom resource version, given its `openAPIV3Schema`. Objects are never
 * changed in place. Expect `default` and `prune` to have run before validation.
 */
export interface CompiledSchema {
  /** Fills in defaults and drops nulls that are not allowed. */
  default(object: JsonObject): JsonObject
  /** Drops fields that the schema does not name. */
  prune(object: JsonObject): JsonObject
  /** Paths of the fields that `prune` would drop: what `fieldValidation=Strict` refuses. */
  unknownFields(object: JsonObject): readonly string[]
  validateCreate(object: JsonObject): readonly FieldError[]
  /** Transition rules apply; errors in parts that did not change are forgiven. */
  validateUpdate(object: JsonObject, old: JsonObject): readonly FieldError[]
  /** An update through the status subresource: of the plain checks only those of `status` are made, of the rules all. */
  validateStatusUpdate(object: JsonObject, old: JsonObject): readonly FieldError[]
}

/** Told beside errors that made the CEL rules be left out; always this very object. */
export const rulesNotChecked: FieldError = {
  field: '',
  reason: 'FieldValueInvalid',
  message:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
}

/**
 * Compiles a schema once for many objects.
 *
 * @throws RuleError when a CEL rule does not compile; a CustomResourceDefinition with it must be refused.
 */
export const compileCrdSchema = (openAPIV3Schema: StructuralSchema | JsonObject): CompiledSchema =>
  // The schema of a third-party CRD is JSON that nobody has checked; keywords of a wrong type have no effect.
  new SchemaOfVersion(openAPIV3Schema as StructuralSchema)

class SchemaOfVersion implements CompiledSchema {
  readonly #schema: StructuralSchema
  readonly #rules
  /** Frozen parts of objects whose lists hold no duplicates, with the field that they are in. Frozen means: to the leaves. */
  readonly #clean = new WeakMap<object, string>()

  constructor(schema: StructuralSchema) {
    this.#schema = schema
    this.#rules = compileRules(schema)
  }

  default(object: JsonObject): JsonObject {
    return withDefaults(object, this.#schema)
  }

  prune(object: JsonObject): JsonObject {
    return pruneObject(object, this.#schema)
  }

  unknownFields(object: JsonObject): readonly string[] {
    const unknown: string[] = []
    pruneObject(object, this.#schema, (path) => unknown.push(path))
    return unknown.sort()
  }

  validateCreate(object: JsonObject): readonly FieldError[] {
    return this.#withRules(
      [
        ...validateValue(object, this.#schema, ''),
        ...validateEmbeddedObjects(object, this.#schema, ''),
        ...validateListTypes(object, this.#schema, ''),
      ],
      object,
    )
  }

  validateUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
    return this.#withRules(
      [
        ...validateValue(object, this.#schema, '', { value: old }),
        ...validateEmbeddedObjects(object, this.#schema, ''),
        ...this.#listErrors(object, old),
      ],
      object,
      old,
    )
  }

  validateStatusUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
    const { status } = this.#schema.properties ?? {}
    const values =
      status === undefined || !Object.hasOwn(object, 'status')
        ? []
        : validateValue(object['status'], status, 'status', { value: old['status'] })
    return this.#withRules([...values, ...this.#listErrors(object, old)], object, old)
  }

  #withRules(errors: readonly FieldError[], object: JsonObject, old?: JsonObject): readonly FieldError[] {
    if (this.#rules === undefined) return errors
    if (errors.some(blocksRules)) return [...errors, rulesNotChecked]
    const previous = old === undefined ? undefined : { value: old }
    return [...errors, ...validateRules(object, this.#rules, '', previous, true)]
  }

  /** Lists that held duplicates before may keep them. */
  #listErrors(object: JsonObject, old: JsonObject): readonly FieldError[] {
    return this.#duplicatesIn(old).length > 0 ? [] : this.#duplicatesIn(object)
  }

  #duplicatesIn(object: JsonObject): readonly FieldError[] {
    return Object.entries(object).flatMap(([key, part]) => {
      if (typeof part !== 'object' || part === null || this.#clean.get(part) === key) return []
      const errors = validateListTypes({ [key]: part }, this.#schema, '')
      if (errors.length === 0 && Object.isFrozen(part)) this.#clean.set(part, key)
      return errors
    })
  }
}
