import { ownValue } from '../own-value.ts'
import { isUnchanged, type Old, oldField, oldItem } from './correlation.ts'
import type { FieldError, FieldErrorReason } from './field-error.ts'
import { hasFormat, isKnownFormat } from './formats.ts'
import { goPattern } from './go-pattern.ts'
import {
  isEqualJson,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type StructuralSchema,
  schemaOfField,
} from './structural-schema.ts'

/**
 * Validates a value against a schema as the API server does: types, limits, patterns, formats, enums, required fields, `anyOf`,
 * `allOf`, `oneOf` and `not`. CEL rules and list types are checked elsewhere. On updates, errors in unchanged values are
 * ignored.
 */
export const validateValue = (
  value: unknown,
  schema: StructuralSchema,
  path: string,
  old?: Old,
): readonly FieldError[] => {
  const errors = checkValue(value, schema, path, old)
  return errors.length > 0 && old !== undefined && isUnchanged(value, old, schema) ? [] : errors
}

const failure = (field: string, reason: FieldErrorReason, message: string, badValue?: unknown): FieldError => ({
  field,
  reason,
  message,
  ...(badValue === undefined ? {} : { badValue }),
})

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  // A number that does not fit into 64 bits is read as a floating-point number.
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'number'
  return typeof value
}

const schemaTypes = (schema: StructuralSchema): readonly string[] => {
  if (schema.type !== undefined) return [schema.type]
  return schema['x-kubernetes-int-or-string'] === true ? ['integer', 'string'] : []
}

const FORMATS_OF_NUMBERS: Readonly<Record<string, string>> = { number: 'float64', integer: 'int64' }

/**
 * Returns the error for a value of a wrong type, in the server's words. If the schema has a format, the server reports the format
 * and not the type, except for strings and lists.
 */
const wrongType = (value: unknown, schema: StructuralSchema, path: string): FieldError => {
  const actual = typeOf(value)
  const byFormat = schema.format !== undefined && !['string', 'array', 'null'].includes(actual)
  const given = byFormat ? (ownValue(FORMATS_OF_NUMBERS, actual) ?? '') : actual
  const wanted = byFormat ? schema.format : schemaTypes(schema).join(',')
  const message = `${path} in body must be of type ${wanted}: ${JSON.stringify(given)}`
  return failure(path, 'FieldValueTypeInvalid', message, given)
}

const checkEnum = (value: unknown, schema: StructuralSchema, path: string): readonly FieldError[] => {
  if (schema.enum === undefined || schema.enum.some((allowed) => isEqualJson(allowed, value))) return []
  const allowed = schema.enum.map((option) => JSON.stringify(option))
  return [failure(path, 'FieldValueNotSupported', `supported values: ${allowed.join(', ')}`, value)]
}

const checkValue = (value: unknown, schema: StructuralSchema, path: string, old: Old | undefined): FieldError[] => {
  const types = schemaTypes(schema)
  const actual = typeOf(value)
  const fits =
    types.length === 0 ||
    types.includes(actual) ||
    (actual === 'integer' && types.includes('number')) ||
    (value === null && schema.nullable === true) ||
    // The server's check accepts a list although the schema requires a string with a format.
    (actual === 'array' && schema.type === 'string' && schema.format !== undefined && isKnownFormat(schema.format))
  if (!fits) return [wrongType(value, schema, path), ...(value === null ? [] : checkEnum(value, schema, path))]
  const errors: FieldError[] = []
  if (value !== null) {
    errors.push(...checkCombinations(value, schema, path))
    if (typeof value === 'string') errors.push(...checkText(value, schema, path))
    if (typeof value === 'number') errors.push(...checkNumber(value, schema, path))
    if (isJsonList(value)) errors.push(...checkList(value, schema, path, old))
    if (isJsonObject(value)) errors.push(...checkObject(value, schema, path, old))
  }
  errors.push(...checkEnum(value, schema, path))
  return errors
}

/**
 * Checks `anyOf`, `oneOf`, `allOf` and `not`. The API server's summary error has no field, so the errors of the closest alternative are
 * reported with it.
 */
const checkCombinations = (value: unknown, schema: StructuralSchema, path: string): FieldError[] => {
  const errors: FieldError[] = []
  const errorsOf = (option: StructuralSchema): FieldError[] => checkValue(value, option, path, undefined)
  const refuse = (rule: string): void => {
    errors.push(failure('', 'FieldValueInvalid', `${JSON.stringify(path)} must ${rule}`))
  }
  const { anyOf = [], oneOf = [], allOf = [], not } = schema
  if (anyOf.length > 0) {
    const nearest = nearestOf(anyOf.map(errorsOf))
    if (nearest.length > 0) refuse('validate at least one schema (anyOf)')
    errors.push(...nearest)
  }
  if (oneOf.length > 0) {
    const outcomes = oneOf.map(errorsOf)
    const valid = outcomes.filter((outcome) => outcome.length === 0).length
    if (valid !== 1) {
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
      refuse(`validate one and only one schema (oneOf). ${found}`)
    }
    errors.push(...nearestOf(outcomes))
  }
  const failed = allOf.map(errorsOf).filter((outcome) => outcome.length > 0)
  if (failed.length > 0)
    refuse(`validate all the schemas (allOf)${failed.length === allOf.length ? '. None validated' : ''}`)
  errors.push(...failed.flat())
  if (not !== undefined && errorsOf(not).length === 0) refuse('not validate the schema (not)')
  return errors
}

/** Returns the list with the fewest errors. */
const nearestOf = (outcomes: readonly (readonly FieldError[])[]): readonly FieldError[] =>
  outcomes.reduce((nearest, outcome) => (outcome.length < nearest.length ? outcome : nearest))

const checkText = (value: string, schema: StructuralSchema, path: string): FieldError[] => {
  const errors: FieldError[] = []
  const { minLength, maxLength, pattern, format } = schema
  // Lengths count characters, and not UTF-16 code units.
  const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length
  if (maxLength !== undefined && length > maxLength) {
    errors.push(failure(path, 'FieldValueTooLong', `may not be more than ${maxLength} bytes`))
  }
  if (minLength !== undefined && length < minLength) {
    errors.push(failure(path, 'FieldValueInvalid', `${path} in body should be at least ${minLength} chars long`, value))
  }
  if (pattern !== undefined && !goPattern(pattern).test(value)) {
    errors.push(failure(path, 'FieldValueInvalid', `${path} in body should match '${pattern}'`, value))
  }
  if (format !== undefined && (schema.type === 'string' || schema.type === undefined) && !hasFormat(value, format)) {
    errors.push(
      failure(
        path,
        'FieldValueTypeInvalid',
        `${path} in body must be of type ${format}: ${JSON.stringify(value)}`,
        value,
      ),
    )
  }
  return errors
}

const checkNumber = (value: number, schema: StructuralSchema, path: string): FieldError[] => {
  const errors: FieldError[] = []
  const refuse = (rule: string): void => {
    errors.push(failure(path, 'FieldValueInvalid', `${path} in body ${rule}`, value))
  }
  const { minimum, maximum, multipleOf, format } = schema
  if (maximum !== undefined && (schema.exclusiveMaximum === true ? value >= maximum : value > maximum)) {
    refuse(`should be less than ${schema.exclusiveMaximum === true ? '' : 'or equal to '}${maximum}`)
  }
  if (minimum !== undefined && (schema.exclusiveMinimum === true ? value <= minimum : value < minimum)) {
    refuse(`should be greater than ${schema.exclusiveMinimum === true ? '' : 'or equal to '}${minimum}`)
  }
  if (multipleOf !== undefined) {
    // The server divides integers by the integer part of the factor. If that is 0, it refuses all integers.
    const factor = Number.isInteger(value) ? Math.trunc(multipleOf) : multipleOf
    if (factor === 0) refuse(`cannot be checked: factor MultipleOf declared for ${path} must be positive: 0`)
    else if (!Number.isInteger(value / factor)) refuse(`should be a multiple of ${multipleOf}`)
  }
  if (schema.type === 'integer' && format === 'int32' && (value > 2 ** 31 - 1 || value < -(2 ** 31))) {
    // As in the API server, this error has no field. The path is only in the message.
    const message = `Checked value must be of type integer with format int32 in ${path}`
    errors.push(failure('', 'FieldValueInvalid', message))
  }
  return errors
}

const checkList = (
  value: readonly unknown[],
  schema: StructuralSchema,
  path: string,
  old: Old | undefined,
): FieldError[] => {
  const errors: FieldError[] = []
  const { minItems, maxItems, items } = schema
  if (items !== undefined) {
    for (const [index, item] of value.entries()) {
      errors.push(...validateValue(item, items, `${path}[${index}]`, oldItem(old, item, schema)))
    }
  }
  if (minItems !== undefined && value.length < minItems) {
    errors.push(
      failure(path, 'FieldValueInvalid', `${path} in body should have at least ${minItems} items`, value.length),
    )
  }
  if (maxItems !== undefined && value.length > maxItems) {
    errors.push(failure(path, 'FieldValueTooMany', `must have at most ${maxItems} items`, value.length))
  }
  if (
    schema.uniqueItems === true &&
    value.some((item, i) => value.slice(0, i).some((other) => isEqualJson(item, other)))
  ) {
    errors.push(failure(path, 'FieldValueInvalid', `${path} in body shouldn't contain duplicates`))
  }
  return errors
}

const checkObject = (value: JsonObject, schema: StructuralSchema, path: string, old: Old | undefined): FieldError[] => {
  const errors: FieldError[] = []
  const keys = Object.keys(value)
  const { minProperties, maxProperties, required } = schema
  if (minProperties !== undefined && keys.length < minProperties) {
    errors.push(
      failure(
        path,
        'FieldValueInvalid',
        `${path} in body should have at least ${minProperties} properties`,
        keys.length,
      ),
    )
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    errors.push(failure(path, 'FieldValueTooMany', `must have at most ${maxProperties} items`, keys.length))
  }
  const child = (key: string): string => (path === '' ? key : `${path}.${key}`)
  for (const key of keys) {
    const inner = schemaOfField(schema, key)
    if (inner !== undefined) {
      // `apiVersion` and `kind` never change, so ignoring errors in unchanged values would hide every error in them.
      const isTypeMeta = path === '' && (key === 'apiVersion' || key === 'kind')
      errors.push(
        ...validateValue(ownValue(value, key), inner, child(key), isTypeMeta ? undefined : oldField(old, key)),
      )
    } else if (schema.additionalProperties === false && !Object.hasOwn(schema.properties ?? {}, key)) {
      errors.push(failure(child(key), 'FieldValueInvalid', `${child(key)} in body is a forbidden property`))
    }
  }
  for (const key of required ?? []) {
    if (!Object.hasOwn(value, key)) errors.push(failure(child(key), 'FieldValueRequired', ''))
  }
  return errors
}
