import { ApiError } from '@kerf/runtime'
import { clone, equal, isObject, type JsonObject, type JsonValue } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'

const unprocessable = (message: string): ApiError =>
  new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `the server rejected our request due to an error in our request: ${message}`,
  })

const tokens = (pointer: string): string[] => {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw statusErrors.badRequest(`json patch path "${pointer}" must start with "/"`)
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

const missing = (pointer: string): ApiError => unprocessable(`doc is missing path: ${pointer}: missing value`)

const read = (root: JsonValue, path: readonly string[], pointer: string): JsonValue => {
  let value: JsonValue | undefined = root
  for (const token of path) {
    if (Array.isArray(value)) value = value[index(token, value.length - 1, pointer)]
    else value = isObject(value) ? value[token] : undefined
    if (value === undefined) throw missing(pointer)
  }
  return value
}

const index = (token: string, max: number, pointer: string): number => {
  if (!/^(0|[1-9]\d*)$/.test(token) || Number(token) > max)
    throw unprocessable(`invalid array index "${token}" in ${pointer}`)
  return Number(token)
}

const edit = (root: JsonObject, pointer: string, mode: 'add' | 'remove' | 'replace', value?: JsonValue): JsonObject => {
  const path = tokens(pointer)
  const last = path.pop()
  if (last === undefined) {
    if (mode === 'remove' || !isObject(value))
      throw unprocessable('the whole document can only be replaced by an object')
    return value
  }
  const parent = read(root, path, pointer)
  if (Array.isArray(parent)) {
    if (mode === 'add')
      parent.splice(last === '-' ? parent.length : index(last, parent.length, pointer), 0, value ?? null)
    else if (mode === 'remove') parent.splice(index(last, parent.length - 1, pointer), 1)
    else parent[index(last, parent.length - 1, pointer)] = value ?? null
  } else if (isObject(parent)) {
    // The server's library lets a replacement make what is not there; only a removal insists.
    if (mode === 'remove' && parent[last] === undefined) throw missing(pointer)
    if (mode === 'remove') delete parent[last]
    else parent[last] = value ?? null
  } else throw missing(pointer)
  return root
}

/** RFC 6902. Changes `document` in place and returns it, or what has replaced it. Throws 400 or 422 as the server does. */
export const applyJsonPatch = (document: JsonObject, operations: unknown): JsonObject => {
  if (!Array.isArray(operations))
    throw statusErrors.badRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch')
  let root = document
  for (const operation of operations) {
    if (!isObject(operation)) throw statusErrors.badRequest('a JSON patch is a list of operations')
    const path = String(operation['path'] ?? '')
    const value = operation['value'] === undefined ? null : clone(operation['value'])
    switch (operation['op']) {
      case 'add':
        root = edit(root, path, 'add', value)
        break
      case 'remove':
        root = edit(root, path, 'remove')
        break
      case 'replace':
        root = edit(root, path, 'replace', value)
        break
      case 'copy':
        root = edit(root, path, 'add', clone(read(root, tokens(String(operation['from'] ?? '')), path)))
        break
      case 'move': {
        const from = String(operation['from'] ?? '')
        const moved = read(root, tokens(from), from)
        root = edit(edit(root, from, 'remove'), path, 'add', moved)
        break
      }
      case 'test': {
        let found: JsonValue
        try {
          found = read(root, tokens(path), path)
        } catch {
          found = null
        }
        if (!equal(found, value)) throw unprocessable(`testing value ${path} failed: test failed`)
        break
      }
      default:
        throw unprocessable(`Unexpected kind: ${String(operation['op'])}`)
    }
  }
  return root
}
