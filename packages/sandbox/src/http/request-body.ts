import type { IncomingMessage } from 'node:http'
import { ProblemError } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { parse as parseYaml } from 'yaml'
import { cloneObject, isObject, type JsonObject } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'
import { decodeProtobuf, PROTOBUF } from './protobuf.ts'

const MAX_BODY = 3 * 1024 * 1024
/**
 * The maximum depth of a document. Deeper documents are refused before any code processes them recursively. The limit of a real API server
 * is 10,000.
 */
const MAX_DEPTH = 1_000

/** Returns the parsed body in any supported format, or an empty object without a body. Throws 400, 413 or 415. */
export const readBody = async (request: IncomingMessage): Promise<JsonObject> => {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early must not close the connection, because a client whose body is too large must still get a response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY)
      throw new ApiError({
        code: 413,
        reason: 'RequestEntityTooLarge',
        message: `Request entity too large: limit is ${MAX_BODY}`,
      })
    chunks.push(chunk)
  }
  const type = request.headers['content-type'] ?? 'application/json'
  if (size === 0) return {}
  if (type.startsWith(PROTOBUF)) return decodeProtobuf(Buffer.concat(chunks))
  if (!/json|yaml|\*/.test(type)) {
    throw new ApiError({
      code: 415,
      reason: 'UnsupportedMediaType',
      message: `the body of the request was in an unknown format - accepted media types include: application/json, application/yaml`,
    })
  }
  const text = Buffer.concat(chunks).toString()
  try {
    const parsed: unknown = type.includes('yaml') ? parseYaml(text) : JSON.parse(text)
    if (isDeeperThan(parsed, MAX_DEPTH)) throw new ProblemError('exceeded max depth')
    if (Array.isArray(parsed)) return parsed as unknown as JsonObject
    if (isObject(parsed)) return cloneObject(parsed)
  } catch (error) {
    throw statusErrors.badRequest(
      `the object provided is unrecognized: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  throw statusErrors.badRequest('the object provided is unrecognized: an object was expected')
}

/** Returns whether a value is nested deeper than `depth`. Checks level by level. A recursive check could itself overflow the stack. */
const isDeeperThan = (value: unknown, depth: number): boolean => {
  let level: readonly unknown[] = [value]
  for (let left = depth; left >= 0; left--) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    if (level.length === 0) return false
  }
  return true
}
