import { withDefaults } from './defaults.ts'
import { validateEmbeddedObjects } from './embedded-objects.ts'
import { blocksRules, type FieldError } from './field-error.ts'
import { validateListTypes } from './list-types.ts'
import { pruneObject } from './prune.ts'
import { compileRules, validateRules } from './rule-validation.ts'
import type { JsonObject, StructuralSchema } from './structural-schema.ts'
import { validateValue } from './value-validation.ts'

/**
 * Processes objects of one version of a custom resource as an API server does, according to its `openAPIV3Schema`. Objects are not
 * changed in place. Call `default` and `prune` before a validation.
 */
export interface CompiledSchema {
  /** Returns the object with defaults, and without nulls that the schema does not allow. */
  default(object: JsonObject): JsonObject
  /** Returns the object without fields that are not in the schema. */
  prune(object: JsonObject): JsonObject
  /** Returns the paths of the fields that `prune` would drop. `fieldValidation=Strict` refuses such fields. */
  unknownFields(object: JsonObject): readonly string[]
  validateCreate(object: JsonObject): readonly FieldError[]
  /** Validates an update. Transition rules apply, and errors in unchanged values are ignored. */
  validateUpdate(object: JsonObject, old: JsonObject): readonly FieldError[]
  /** Validates an update of the status subresource. Only `status` is checked against the schema, but all rules apply. */
  validateStatusUpdate(object: JsonObject, old: JsonObject): readonly FieldError[]
}

/** The error that is added if other errors prevent the evaluation of CEL rules. Every validation uses this same object. */
export const rulesNotChecked: FieldError = {
  field: '',
  reason: 'FieldValueInvalid',
  message:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
}

/**
 * Compiles a schema. The result can be used for any number of objects.
 * @throws RuleError if a CEL rule does not compile. A CustomResourceDefinition with such a rule must be refused.
 */
export const compileCrdSchema = (openAPIV3Schema: StructuralSchema | JsonObject): CompiledSchema =>
  // The schema of a third-party CRD is unchecked JSON. A keyword whose value has the wrong type has no effect.
  new SchemaOfVersion(openAPIV3Schema as StructuralSchema)

class SchemaOfVersion implements CompiledSchema {
  readonly #schema: StructuralSchema
  readonly #rules
  /**
   * Deeply frozen values whose lists have no duplicates, so that they need no second check. Each value maps to the name of the
   * field that contains it.
   */
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

  /** Returns the errors about duplicates. If an object already had duplicates, it may keep them. */
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
