import { ApiError } from '@kerf/runtime'
import jsonPatch, { type Operation, type Validator } from 'fast-json-patch'
import { clone, isObject, type JsonObject, type JsonValue } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'

const unprocessable = (message: string): ApiError =>
  new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `the server rejected our request due to an error in our request: ${message}`,
  })

const valueAt = (root: JsonObject, pointer: string): unknown => {
  try {
    return jsonPatch.getValueByPointer(root, pointer)
  } catch {
    return undefined
  }
}

/**
 * RFC 6902 but for one rule: the API server's library lets a replacement make a member that is not there. In a list it
 * insists on an index that is.
 */
const validate: Validator<JsonObject> = (operation, index, document, existing) => {
  const makesMember =
    operation.op === 'replace' && existing !== operation.path && !Array.isArray(valueAt(document, existing))
  jsonPatch.validator(makesMember ? { ...operation, op: 'add' } : operation, index, document, existing)
}

const applyOperation = (root: JsonObject, operation: JsonObject): JsonObject => {
  const path = String(operation['path'] ?? '')
  if (path !== '' && !path.startsWith('/'))
    throw statusErrors.badRequest(`json patch path "${path}" must start with "/"`)
  const value = operation['value'] === undefined ? null : (clone(operation['value']) as JsonValue)
  // What is not there counts as null for the API server, and as no value for the library.
  if (operation['op'] === 'test' && value === null && valueAt(root, path) === undefined) return root
  let changed: unknown
  try {
    // Changes `operation` too, so it is given its own.
    changed = jsonPatch.applyOperation(root, { ...operation, path, value } as Operation, validate).newDocument
  } catch (error) {
    // The first line says what is wrong; the others repeat the whole object.
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw unprocessable(`${String(operation['op'])} ${path}: ${reason}`)
  }
  if (!isObject(changed)) throw unprocessable('the whole document can only be replaced by an object')
  return changed
}

/**
 * RFC 6902, as the API server does it. Changes `document` in place and returns it, or what has replaced it.
 * @throws ApiError 400 for what is no patch, 422 for one that does not fit the document.
 */
export const applyJsonPatch = (document: JsonObject, operations: unknown): JsonObject => {
  if (!Array.isArray(operations))
    throw statusErrors.badRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch')
  return operations.reduce<JsonObject>((root, operation: unknown) => {
    if (!isObject(operation)) throw statusErrors.badRequest('a JSON patch is a list of operations')
    return applyOperation(root, operation)
  }, document)
}
