import { ownValue } from '@kerf/apis'
import type { ApiDocument, Parameter, Route, Schema } from './discovery.ts'
import { GoogleError, invalidValue } from './google-error.ts'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether the fake checks a client's request or its own response. */
type Direction = 'request' | 'response'

interface Checking {
  readonly document: ApiDocument
  readonly direction: Direction
  /** The id of the method. */
  readonly method: string
}

const unknownName = (field: string, name: string): GoogleError =>
  new GoogleError(
    400,
    'badRequest',
    `Invalid JSON payload received. Unknown name "${name}" at '${field}': Cannot find field.`,
  )

const fits = ({ type, format }: Schema, value: unknown): boolean => {
  switch (type) {
    case 'string':
      if (typeof value !== 'string') return false
      // 64-bit numbers are strings in JSON.
      if (format === 'int64') return /^-?\d+$/.test(value)
      return format !== 'uint64' || /^\d+$/.test(value)
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) && (format !== 'uint32' || value >= 0)
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isFields(value)
    default:
      return true
  }
}

const checkFields = (schema: Schema, value: Fields, field: string, checking: Checking): void => {
  for (const [name, inner] of Object.entries(value)) {
    const own = ownValue(schema.properties ?? {}, name) ?? schema.additionalProperties
    if (own === undefined) throw unknownName(field, name)
    const where = `${field}.${name}`
    if (checking.direction === 'request' && own.readOnly === true)
      throw invalidValue(where, JSON.stringify(inner), 'The field is output only.')
    if (checking.direction === 'response' && own.inputOnly === true)
      throw new Error(`the fake returns ${where}, which the service never does`)
    checkValue(own, inner, where, checking)
  }
  if (checking.direction === 'response') return
  for (const [name, { requiredFor = [] }] of Object.entries(schema.properties ?? {}))
    if (requiredFor.includes(checking.method) && ownValue(value, name) === undefined)
      throw new GoogleError(400, 'required', `Required field '${field}.${name}' not specified`)
}

const checkValue = (schema: Schema, value: unknown, field: string, checking: Checking): void => {
  const { $ref } = schema
  if ($ref !== undefined) {
    const target = ownValue(checking.document.schemas, $ref)
    if (target === undefined) throw new Error(`the document has no schema ${$ref}`)
    checkValue(target, value, field, checking)
    return
  }
  const { enum: values, pattern, items } = schema
  if (!fits(schema, value))
    throw invalidValue(
      field,
      JSON.stringify(value),
      `Expected ${schema.type}${schema.format ? ` (${schema.format})` : ''}.`,
    )
  if (values !== undefined && !values.includes(String(value)))
    throw invalidValue(field, value, `Must be one of [${values.join(', ')}].`)
  // The documents define the pattern of a list's items on the list itself.
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (pattern !== undefined && !texts.every((text) => new RegExp(`^(?:${pattern})$`).test(String(text))))
    throw invalidValue(field, value, `Must be a match of regex '${pattern}'`)
  if (Array.isArray(value) && items !== undefined)
    for (const [index, item] of value.entries()) checkValue(items, item, `${field}[${index}]`, checking)
  if (isFields(value)) checkFields(schema, value, field, checking)
}

const checkParameter = (name: string, parameter: Parameter, value: string): void => {
  const { type, pattern, enum: values } = parameter
  const isGood =
    (type !== 'integer' || /^\d+$/.test(value)) &&
    (type !== 'boolean' || value === 'true' || value === 'false') &&
    (values === undefined || values.includes(value)) &&
    (pattern === undefined || new RegExp(`^(?:${pattern.replaceAll(/^\^|\$$/g, '')})$`).test(value))
  if (!isGood) throw invalidValue(name, value, 'The parameter has another form.')
}

/**
 * Checks the parameters and the body of a request against its method.
 *
 * @throws GoogleError if the service would refuse the request
 */
export const checkRequest = ({ method, document, pathValues }: Route, query: URLSearchParams, body: unknown): void => {
  for (const [name, value] of query) {
    const parameter = ownValue(method.parameters, name)
    if (parameter === undefined || parameter.location !== 'query')
      throw new GoogleError(
        400,
        'badRequest',
        `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter.`,
      )
    checkParameter(name, parameter, value)
  }
  for (const [name, value] of Object.entries(pathValues)) {
    const parameter = ownValue(method.parameters, name)
    if (parameter?.location === 'path') checkParameter(name, parameter, value)
  }
  if (method.request === undefined) {
    if (body !== undefined) throw new GoogleError(400, 'badRequest', `${method.id} takes no body`)
    return
  }
  checkValue(method.request, body, 'resource', { document, direction: 'request', method: method.id })
}

/**
 * Checks the fake's own response, so that it contains only fields of the real service.
 *
 * @throws GoogleError or Error, if the fake itself has a bug
 */
export const checkResponse = ({ method, document }: Route, body: unknown): void =>
  checkValue(method.response, body, 'response', { document, direction: 'response', method: method.id })
