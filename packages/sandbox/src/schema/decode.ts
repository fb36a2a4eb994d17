import { formatQuantity, ownValue, parseTime, type QuantityFormat, setOwnValue, tryParseQuantity } from '@kerf/apis'
import { isObject, type JsonObject, type JsonValue } from '../store/json.ts'
import type { FieldSchema, TypeSchema } from './type-schema.ts'

/** A value of the wrong type for its field. */
export interface Mismatch {
  /** `spec.template.spec.containers[0].image`. */
  readonly path: string
  /** The expected value and the actual one, for example `must be a quantity, for example "500m" or "4Gi", not "lots"`. */
  readonly text: string
  /** The error message of Go's decoder. */
  readonly go: string
}

/** The result of decoding. */
export interface Decoded {
  /** One message for each unknown field, for example `unknown field "spec.foo"`, in the order of the object. */
  readonly unknown: readonly string[]
  /** Values of the wrong type, in the order of the object. The API server reports only the first one. */
  readonly mismatches: readonly Mismatch[]
}

const isHollow = (value: JsonValue, field: FieldSchema): boolean =>
  field.type === 'array'
    ? Array.isArray(value) && value.length === 0
    : field.type === 'map' && isObject(value) && Object.keys(value).length === 0

const goTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'int32',
  number: 'float64',
  boolean: 'bool',
}

const QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The ranges of Go's integer types. JavaScript cannot represent the largest int64 exactly. */
const RANGES: Readonly<Record<string, { readonly least: number; readonly end: number; readonly words: string }>> = {
  int32: { least: -(2 ** 31), end: 2 ** 31, words: '-2147483648 to 2147483647' },
  int64: { least: -(2 ** 63), end: 2 ** 63, words: '-9223372036854775808 to 9223372036854775807' },
}

const unmarshal = (got: string, owner: string, path: string, type: string): string =>
  `json: cannot unmarshal ${got} into Go struct field ${owner}.${path.replace(/\[\d+\]/g, '')} of type ${type}`

/** Returns the zero value of a type, which Go uses for a null in a list or map. */
const zeroOf = (field: FieldSchema): JsonValue => {
  if (field.object !== undefined) return {}
  switch (field.type) {
    case 'string':
      return ''
    case 'quantity':
      return '0'
    case 'integer':
    case 'number':
    case 'int-or-string':
      return 0
    case 'boolean':
      return false
    default:
      return null
  }
}

class Decoder {
  readonly unknown: string[] = []
  readonly mismatches: Mismatch[] = []

  object(draft: JsonObject, schema: TypeSchema, path: string, shortName: string): void {
    for (const key of Object.keys(draft)) {
      const field = schema.fields.get(key)
      const value = ownValue(draft, key)
      const at = path === '' ? key : `${path}.${key}`
      if (field === undefined) {
        if (schema.open) continue
        this.unknown.push(`unknown field "${at}"`)
        delete draft[key]
      } else if (value === null || value === undefined) {
        delete draft[key]
      } else {
        const decoded = this.value(value, field, at, shortName)
        // Go omits empty lists and maps when it serializes them.
        if (field.required !== true && isHollow(decoded, field)) delete draft[key]
        else setOwnValue(draft, key, decoded)
      }
    }
  }

  private value(value: JsonValue, field: FieldSchema, path: string, owner: string): JsonValue {
    if (value === null) return zeroOf(field)
    // A frozen value is part of the stored object, so it was already decoded when it was written.
    if (typeof value === 'object' && Object.isFrozen(value)) return value
    if (field.object !== undefined) {
      const type = field.object()
      if (!isObject(value)) return this.wrong(value, path, owner, lastPart(type.name))
      this.object(value, type, path, lastPart(type.name))
      return value
    }
    switch (field.type) {
      case 'array': {
        if (!Array.isArray(value)) return this.wrong(value, path, owner, '[]')
        const items = field.items
        if (items === undefined) return value
        for (let i = 0; i < value.length; i++) value[i] = this.value(value[i] ?? null, items, `${path}[${i}]`, owner)
        return value
      }
      case 'map': {
        if (!isObject(value)) return this.wrong(value, path, owner, 'map[string]')
        const values = field.values
        if (values === undefined) return value
        for (const key of Object.keys(value)) {
          const member = ownValue(value, key)
          if (member !== undefined) setOwnValue(value, key, this.value(member, values, `${path}.${key}`, owner))
        }
        return value
      }
      case 'string':
        if (typeof value !== 'string')
          return this.wrong(value, path, owner, field.format === 'byte' ? '[]uint8' : 'string')
        if (field.format === 'byte' && !BASE64.test(value.replaceAll(/[\r\n]/g, '')))
          this.mismatches.push({ path, text: 'must be text in base64', go: 'illegal base64 data' })
        return value
      case 'integer':
        return this.integer(value, field.format, path, owner)
      case 'number':
        return typeof value === 'number' ? value : this.wrong(value, path, owner, 'float64')
      case 'boolean':
        return typeof value === 'boolean' ? value : this.wrong(value, path, owner, 'bool')
      case 'quantity':
        return this.quantity(value, path)
      case 'int-or-string':
        return typeof value === 'string' ? value : this.integer(value, 'int32', path, owner)
      case 'time':
      case 'micro-time':
        if (typeof value !== 'string') return this.wrong(value, path, owner, 'string')
        if (parseTime(value) === undefined)
          this.mismatches.push({
            path,
            text: `must be a time, for example "2006-01-02T15:04:05Z", not ${JSON.stringify(value)}`,
            go: `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(value)} as "2006"`,
          })
        return value
      default:
        return value
    }
  }

  /** Decodes an integer. If the schema has no format, as in some custom resources, any size is allowed. */
  private integer(value: JsonValue, format: string | undefined, path: string, owner: string): JsonValue {
    const type = format ?? 'int32'
    if (typeof value !== 'number') return this.wrong(value, path, owner, type)
    const range = format === undefined ? undefined : ownValue(RANGES, format)
    const isInRange = range === undefined || (value >= range.least && value < range.end)
    if (Number.isInteger(value) && isInRange) return value
    const text = !Number.isInteger(value)
      ? `must be an integer, not ${value}`
      : `must be of type ${type} (${range?.words}), not ${value}`
    this.mismatches.push({ path, text, go: unmarshal(`number ${value}`, owner, path, type) })
    return value
  }

  private quantity(value: JsonValue, path: string): JsonValue {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
    const amount = text === undefined ? undefined : tryParseQuantity(text)
    if (text !== undefined && amount !== undefined) return formatQuantity(amount, parseFormat(text))
    const words = `must be a quantity, for example "500m" or "4Gi", not ${JSON.stringify(value)}`
    this.mismatches.push({ path, text: words, go: QUANTITY })
    return value
  }

  private wrong(value: JsonValue, path: string, owner: string, expected: string): JsonValue {
    const got = Array.isArray(value)
      ? 'array'
      : isObject(value)
        ? 'object'
        : typeof value === 'boolean'
          ? 'bool'
          : typeof value === 'number'
            ? 'number'
            : 'string'
    const type = ownValue(goTypes, expected) ?? expected
    this.mismatches.push({
      path,
      text: `is of type ${got}, and must be ${type}`,
      go: unmarshal(got, owner, path, type),
    })
    return value
  }
}

/** Returns the suffix family of a quantity. Normalization does not change the suffix family. */
const parseFormat = (text: string): QuantityFormat =>
  text.endsWith('i') ? 'BinarySI' : /[eE][+-]?\d+$/.test(text) ? 'DecimalExponent' : 'DecimalSI'

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** Drops unknown fields from `draft`, normalizes quantities and checks the types. */
export const decode = (draft: JsonObject, schema: TypeSchema, kind: string): Decoded => {
  const decoder = new Decoder()
  decoder.object(draft, schema, '', kind)
  return { unknown: decoder.unknown, mismatches: decoder.mismatches }
}
