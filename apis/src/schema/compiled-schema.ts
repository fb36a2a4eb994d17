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

const SKIPPED: FieldError = {
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
export const compileCrdSchema = (openAPIV3Schema: StructuralSchema | JsonObject): CompiledSchema => {
  // A schema of somebody else's CRD is JSON that nobody has looked at; keywords of a wrong type have no effect.
  const schema = openAPIV3Schema as StructuralSchema
  const rules = compileRules(schema)
  const { status } = schema.properties ?? {}

  const withRules = (errors: readonly FieldError[], object: JsonObject, old?: JsonObject): readonly FieldError[] => {
    if (rules === undefined) return errors
    if (errors.some(blocksRules)) return [...errors, SKIPPED]
    const previous = old === undefined ? undefined : { value: old }
    return [...errors, ...validateRules(object, rules, '', previous, true)]
  }
  /** Frozen parts of objects, taken to be so to the leaves, whose lists hold nothing twice; with the field that they are. */
  const clean = new WeakMap<object, string>()
  const duplicatesIn = (object: JsonObject): readonly FieldError[] =>
    Object.entries(object).flatMap(([key, part]) => {
      if (typeof part !== 'object' || part === null || clean.get(part) === key) return []
      const errors = validateListTypes({ [key]: part }, schema, '')
      if (errors.length === 0 && Object.isFrozen(part)) clean.set(part, key)
      return errors
    })
  /** Lists that held duplicates before may go on doing so. */
  const listErrors = (object: JsonObject, old: JsonObject): readonly FieldError[] =>
    duplicatesIn(old).length > 0 ? [] : duplicatesIn(object)

  return {
    default: (object) => withDefaults(object, schema),
    prune: (object) => pruneObject(object, schema),
    unknownFields: (object) => {
      const unknown: string[] = []
      pruneObject(object, schema, (path) => unknown.push(path))
      return unknown.sort()
    },
    validateCreate: (object) =>
      withRules(
        [
          ...validateValue(object, schema, ''),
          ...validateEmbeddedObjects(object, schema, ''),
          ...validateListTypes(object, schema, ''),
        ],
        object,
      ),
    validateUpdate: (object, old) =>
      withRules(
        [
          ...validateValue(object, schema, '', { value: old }),
          ...validateEmbeddedObjects(object, schema, ''),
          ...listErrors(object, old),
        ],
        object,
        old,
      ),
    validateStatusUpdate: (object, old) => {
      const values =
        status === undefined || !Object.hasOwn(object, 'status')
          ? []
          : validateValue(object['status'], status, 'status', { value: old['status'] })
      return withRules([...values, ...listErrors(object, old)], object, old)
    },
  }
}
