import { ownValue } from '../own-value.ts'

/**
 * A structural schema, as in a CustomResourceDefinition (`openAPIV3Schema`). It has only the keywords that an API server uses;
 * others are ignored.
 */
export interface StructuralSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  readonly description?: string
  readonly format?: string
  readonly title?: string
  readonly default?: unknown
  readonly nullable?: boolean
  readonly properties?: Readonly<Record<string, StructuralSchema>>
  readonly additionalProperties?: StructuralSchema | boolean
  readonly items?: StructuralSchema
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: boolean
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly allOf?: readonly StructuralSchema[]
  readonly anyOf?: readonly StructuralSchema[]
  readonly oneOf?: readonly StructuralSchema[]
  readonly not?: StructuralSchema
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular'
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[]
}

/** A rule in `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate'
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

/** A JSON object, as received from the API. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isJsonList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Returns the schema of an object's field, which is either its own schema or the schema of a map's values. */
export const schemaOfField = (schema: StructuralSchema, field: string): StructuralSchema | undefined => {
  const { properties, additionalProperties } = schema
  if (properties !== undefined && Object.hasOwn(properties, field)) return ownValue(properties, field)
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** Returns whether two JSON values are equal. The order of keys does not matter. */
export const isEqualJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (isJsonList(a)) return isJsonList(b) && a.length === b.length && a.every((item, i) => isEqualJson(item, b[i]))
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqualJson(ownValue(a, key), ownValue(b, key)))
  )
}
