import { ownField, ownValue } from '@kerf/apis'
import shapes from './generated/api-shapes.json' with { type: 'json' }

/**
 * The shape of a value: `string`, `number`, `boolean`, `any`, a list with the shape of its items, or an object with a shape per field. A
 * `!` before a field name means that the field is required.
 */
type Shape = string | readonly Shape[] | { readonly [field: string]: Shape }

interface ActionShape {
  readonly product: string
  readonly version: string
  readonly path: string
  readonly method: string
  readonly request: Shape
}

/** The vendor's description of each action (`generated/api-shapes.json` contains the source). */
const actionShapes: Readonly<Record<string, ActionShape>> = shapes.actions

/** An error response of the API. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

const invalid = (code: string, message: string): Refusal => ({ status: 400, code, message })

const fieldShape = (shape: Shape, field: string): Shape | undefined =>
  typeof shape === 'object' && !Array.isArray(shape)
    ? ((ownField(shape, field) ?? ownField(shape, `!${field}`)) as Shape | undefined)
    : undefined

/** Returns the shape at a flattened name such as `Tag.1.Key`, or undefined if the action has no such parameter. */
const shapeAt = (shape: Shape, name: string): Shape | undefined =>
  name.split('.').reduce<Shape | undefined>((inner, part) => {
    if (inner === undefined) return undefined
    if (Array.isArray(inner)) return /^[1-9]\d*$/.test(part) ? (inner[0] as Shape) : undefined
    return fieldShape(inner, part)
  }, shape)

const hasType = (shape: Shape, value: string): boolean => {
  switch (shape) {
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(value)
    case 'boolean':
      return value === 'true' || value === 'false'
    default:
      return typeof shape === 'string'
  }
}

const requiredIn = (shape: Shape): readonly string[] =>
  typeof shape === 'object' && !Array.isArray(shape)
    ? Object.keys(shape).flatMap((field) => (field.startsWith('!') ? [field.slice(1)] : []))
    : []

/** Returns true if the request has the parameter, or a parameter below it such as `NAME.1`. */
const has = (parameters: Readonly<Record<string, string>>, name: string): boolean =>
  Object.keys(parameters).some((each) => each === name || each.startsWith(`${name}.`))

/**
 * Returns the error for the flattened parameters of an RPC action, or undefined if they are valid. A name may be unknown, a value may have
 * the wrong type, or a required parameter may be missing. List indexes must begin with 1 and have no gaps.
 */
export const refuseParameters = (action: string, parameters: Readonly<Record<string, string>>): Refusal | undefined => {
  const described = ownValue(actionShapes, action)
  if (described === undefined) return { status: 404, code: 'InvalidAction.NotFound', message: `no action ${action}` }
  for (const [name, value] of Object.entries(parameters)) {
    const shape = shapeAt(described.request, name)
    if (shape === undefined || !hasType(shape, value))
      return invalid('InvalidParameter', `The specified parameter ${name} is not valid.`)
    const [, list, number] = /^(.*)\.([1-9]\d*)(?:\.|$)/.exec(name) ?? []
    if (list !== undefined && Number(number) > 1 && !has(parameters, `${list}.${Number(number) - 1}`))
      return invalid('InvalidParameter', `The list ${list} has a gap before ${number}.`)
  }
  const missing = requiredIn(described.request).find((name) => !has(parameters, name))
  return missing === undefined ? undefined : invalid('MissingParameter', `The parameter ${missing} is required.`)
}

/** Returns the error for the JSON body of an ROA action, or undefined if it is valid. */
export const refuseBody = (action: string, body: unknown): Refusal | undefined => {
  const described = ownValue(actionShapes, action)
  if (typeof body !== 'object' || body === null) return invalid('InvalidParameter', 'The body is not a JSON object.')
  for (const [name, value] of Object.entries(body)) {
    const shape = described === undefined ? undefined : fieldShape(described.request, name)
    const isRight = Array.isArray(shape) ? Array.isArray(value) : shape === typeof value
    if (!isRight) return invalid('InvalidParameter', `The field ${name} is not valid.`)
  }
  return undefined
}

/** Returns the action of a request, based on its headers and path. Returns undefined if the vendor describes no such action. */
export const requestAction = (request: {
  readonly action: string
  readonly version: string
  readonly product: string
  readonly method: string
  readonly path: string
}): { readonly action: string; readonly clusterId: string | undefined } | undefined => {
  const described = ownValue(actionShapes, request.action)
  if (described === undefined || described.version !== request.version || described.product !== request.product)
    return undefined
  const pattern = new RegExp(`^${described.path.replace('{ClusterId}', '(?<cluster>[^/]+)')}$`)
  const match = pattern.exec(request.path)
  return match === null || described.method !== request.method
    ? undefined
    : { action: request.action, clusterId: match.groups?.['cluster'] }
}

/** Converts parameters with flattened names to nested objects and lists. Values stay strings. */
export const nested = (parameters: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> => {
  const root: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(parameters)) {
    const parts = name.split('.')
    let inner = root
    for (const [index, part] of parts.entries()) {
      if (index === parts.length - 1) inner[part] = value
      else {
        inner[part] ??= {}
        inner = inner[part] as Record<string, unknown>
      }
    }
  }
  const lists = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, each]) => [key, lists(each)] as const)
    return entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))
      ? entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, each]) => each)
      : Object.fromEntries(entries)
  }
  return lists(root) as Readonly<Record<string, unknown>>
}
