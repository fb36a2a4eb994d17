import { ownField, plainText, setOwnValue } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import jsonPatch, { type Operation, type Validator } from 'fast-json-patch'
import { clone, equal, isObject, type JsonObject, type JsonValue } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'

const unprocessable = (message: string): ApiError =>
  new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `the server rejected our request due to an error in our request: ${message}`,
  })

const INDEX = /^[0-9]+$/

const valueAt = (root: JsonObject, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (inner, step) =>
        Array.isArray(inner)
          ? inner[INDEX.test(step) ? Number(step) : -1]
          : ownField(inner, jsonPatch.unescapePathComponent(step)),
      root,
    )

/**
 * Returns a copy of the tree in which no object has a prototype. The JSON patch library accesses properties directly, so without prototypes
 * it treats keys such as `constructor` as ordinary keys.
 */
const withoutPrototypes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPrototypes)
  if (!isObject(value)) return value
  const bare = Object.create(null) as JsonObject
  for (const [key, member] of Object.entries(value)) setOwnValue(bare, key, withoutPrototypes(member) as JsonValue)
  return bare
}

/**
 * Validates the operation according to RFC 6902 with one exception: like the API server's library, a replace may create a missing
 * member. In a list, the index must exist.
 */
const validate: Validator<JsonObject> = (operation, index, document, existing) => {
  const makesMember =
    operation.op === 'replace' && existing !== operation.path && !Array.isArray(valueAt(document, existing))
  jsonPatch.validator(makesMember ? { ...operation, op: 'add' } : operation, index, document, existing)
}

const applyOperation = (root: JsonObject, operation: JsonObject): JsonObject => {
  const path = plainText(operation['path'] ?? '')
  if (path !== '' && !path.startsWith('/'))
    throw statusErrors.badRequest(`json patch path "${path}" must start with "/"`)
  const value = operation['value'] === undefined ? null : (clone(operation['value']) as JsonValue)
  if (operation['op'] === 'test') {
    // The API server treats a missing value as null.
    if (equal(valueAt(root, path) ?? null, value)) return root
    throw unprocessable(`test ${path}: the value is another one`)
  }
  const from = plainText(operation['from'] ?? '')
  const found = from === '' ? undefined : valueAt(root, from)
  if (found !== undefined && operation['op'] === 'copy')
    return applyOperation(root, { op: 'add', path, value: clone(found) })
  if (found !== undefined && operation['op'] === 'move')
    return applyOperation(applyOperation(root, { op: 'remove', path: from }), { op: 'add', path, value: clone(found) })
  let changed: unknown
  try {
    const bare = withoutPrototypes(root) as JsonObject
    // The library may change `operation`, so it gets a copy.
    const own = { ...operation, path, value: withoutPrototypes(value) } as Operation
    changed = clone(jsonPatch.applyOperation(bare, own, validate, true, false).newDocument)
  } catch (error) {
    // The first line of the message describes the error. The other lines repeat the whole object.
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw unprocessable(`${plainText(operation['op'])} ${path}: ${reason}`)
  }
  if (!isObject(changed)) throw unprocessable('the whole document can only be replaced by an object')
  return changed
}

/**
 * Applies a JSON patch (RFC 6902) as the API server does. Returns the changed document. Does not change `document`.
 *
 * @throws ApiError 400 for an invalid patch, 422 for a patch that cannot be applied to the document
 */
export const applyJsonPatch = (document: JsonObject, operations: unknown): JsonObject => {
  if (!Array.isArray(operations))
    throw statusErrors.badRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch')
  return operations.reduce<JsonObject>((root, operation: unknown) => {
    if (!isObject(operation)) throw statusErrors.badRequest('a JSON patch is a list of operations')
    return applyOperation(root, operation)
  }, document)
}
