import { ownValue, setOwnValue } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { builtinRoots } from '../schema/type-schema.ts'
import { ensureObject, isObject, type JsonObject, type JsonValue } from '../store/json.ts'
import tags from './generated/protobuf-tags.json' with { type: 'json' }

/** The media type in which Go clients send built-in kinds. Responses are always JSON, which these clients also accept. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf'

const layouts: Readonly<Record<string, Readonly<Record<string, string>>>> = tags
const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0x00])

const malformed = (why: string): ApiError =>
  new ApiError({ code: 400, reason: 'BadRequest', message: `the protobuf body cannot be read: ${why}` })

/** One encoded field of a message. */
interface WireField {
  readonly tag: number
  readonly value: bigint | Buffer
}

const readVarint = (bytes: Buffer, from: number): [bigint, number] => {
  let value = 0n
  let at = from
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at++]
    if (byte === undefined || shift > 63n) throw malformed('a number is cut off')
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return [value, at]
  }
}

function* wireFields(bytes: Buffer): Generator<WireField, void, void> {
  let at = 0
  while (at < bytes.length) {
    const [key, afterKey] = readVarint(bytes, at)
    const tag = Number(key >> 3n)
    switch (Number(key & 7n)) {
      case 0: {
        const [value, end] = readVarint(bytes, afterKey)
        yield { tag, value }
        at = end
        break
      }
      case 1:
        yield { tag, value: bytes.subarray(afterKey, afterKey + 8) }
        at = afterKey + 8
        break
      case 2: {
        const [length, start] = readVarint(bytes, afterKey)
        const end = start + Number(length)
        if (end > bytes.length) throw malformed('a field is cut off')
        yield { tag, value: bytes.subarray(start, end) }
        at = end
        break
      }
      case 5:
        yield { tag, value: bytes.subarray(afterKey, afterKey + 4) }
        at = afterKey + 4
        break
      default:
        throw malformed('an unknown wire type')
    }
  }
}

const bytesOf = (value: bigint | Buffer): Buffer => {
  if (typeof value === 'bigint') throw malformed('a number stands where bytes belong')
  return value
}
const numberOf = (value: bigint | Buffer): number => Number(BigInt.asIntN(64, typeof value === 'bigint' ? value : 0n))
const fieldsOf = (bytes: Buffer): Map<number, bigint | Buffer> =>
  new Map([...wireFields(bytes)].map(({ tag, value }) => [tag, value]))

/** Types whose JSON is not an object of their fields. `undefined` means an absent value. */
const special: Readonly<Record<string, (bytes: Buffer) => JsonValue | undefined>> = {
  Quantity: (bytes) => textAt(fieldsOf(bytes), 1) ?? '0',
  IntOrString: (bytes) => {
    const fields = fieldsOf(bytes)
    return numberOf(fields.get(1) ?? 0n) === 1 ? (textAt(fields, 3) ?? '') : numberOf(fields.get(2) ?? 0n)
  },
  Time: (bytes) => timeOf(bytes, false),
  MicroTime: (bytes) => timeOf(bytes, true),
  RawExtension: (bytes) => JSON.parse(textAt(fieldsOf(bytes), 1) ?? 'null') as JsonValue,
  FieldsV1: (bytes) => JSON.parse(textAt(fieldsOf(bytes), 1) ?? '{}') as JsonValue,
}

const textAt = (fields: Map<number, bigint | Buffer>, tag: number): string | undefined => {
  const value = fields.get(tag)
  return value === undefined ? undefined : bytesOf(value).toString()
}

const timeOf = (bytes: Buffer, micro: boolean): string | undefined => {
  const fields = fieldsOf(bytes)
  const seconds = numberOf(fields.get(1) ?? 0n)
  const nanos = numberOf(fields.get(2) ?? 0n)
  // Go's zero time means that no time is set. Its number of seconds is negative, because it lies before the epoch.
  if (fields.size === 0 || seconds < 0) return undefined
  const text = new Date(seconds * 1000).toISOString().slice(0, 19)
  return micro ? `${text}.${String(Math.trunc(nanos / 1000)).padStart(6, '0')}Z` : `${text}Z`
}

/**
 * Decodes one value of a field kind such as `s`, `i` or `@type`. If `pointer` is true, a zero is a value. Otherwise, a zero means that the
 * field is absent.
 */
const decodeValue = (kind: string, value: bigint | Buffer, pointer: boolean): JsonValue | undefined => {
  switch (kind[0]) {
    case 's': {
      const text = bytesOf(value).toString()
      return text === '' && !pointer ? undefined : text
    }
    case 'i': {
      const number = numberOf(value)
      return number === 0 && !pointer ? undefined : number
    }
    case 'b':
      return numberOf(value) === 0 && !pointer ? undefined : numberOf(value) !== 0
    case 'd':
      return bytesOf(value).length === 8 ? bytesOf(value).readDoubleLE() : bytesOf(value).readFloatLE()
    case 'y':
      return bytesOf(value).toString('base64')
    default: {
      const type = kind.slice(1)
      const read = ownValue(special, type)
      return read === undefined ? messageOf(type, bytesOf(value)) : read(bytesOf(value))
    }
  }
}

const messageOf = (type: string, bytes: Buffer): JsonObject => {
  const layout = ownValue(layouts, type)
  if (layout === undefined) throw malformed(`the type ${type} is not known`)
  const out: JsonObject = {}
  for (const { tag, value } of wireFields(bytes)) {
    const entry = layout[tag]
    if (entry === undefined) continue
    const colon = entry.indexOf(':')
    const name = entry.slice(0, colon)
    const kind = entry.slice(colon + 1)
    addField(out, name, kind, value)
  }
  return out
}

const addField = (out: JsonObject, name: string, kind: string, value: bigint | Buffer): void => {
  switch (kind[0]) {
    case '^': {
      const inlined = decodeValue(kind.slice(1), value, false)
      if (isObject(inlined)) for (const [key, member] of Object.entries(inlined)) setOwnValue(out, key, member)
      return
    }
    case '[': {
      const item = decodeValue(kind.slice(1), value, true)
      const list = ownValue(out, name)
      if (item === undefined) return
      if (Array.isArray(list)) list.push(item)
      else setOwnValue(out, name, [item])
      return
    }
    case '{': {
      const fields = fieldsOf(bytesOf(value))
      const member = fields.get(2)
      const key = textAt(fields, 1) ?? ''
      const list = kind.startsWith('{[')
      const inner = list ? kind.slice(2) : kind.slice(1)
      setOwnValue(
        ensureObject(out, name),
        key,
        (member === undefined ? undefined : list ? listOf(inner, member) : decodeValue(inner, member, true)) ??
          (inner === 's' ? '' : {}),
      )
      return
    }
    default: {
      const pointer = kind.startsWith('?')
      const decoded = decodeValue(pointer ? kind.slice(1) : kind, value, pointer)
      if (decoded === undefined) return
      // Go sends a non-pointer structure even if it is empty, so an empty structure means that the field is absent.
      if (!pointer && isObject(decoded) && Object.keys(decoded).length === 0) return
      setOwnValue(out, name, decoded)
    }
  }
}

/** Decodes a list inside a map, which is a message with one repeated field. */
const listOf = (kind: string, value: bigint | Buffer): JsonValue[] =>
  [...wireFields(bytesOf(value))].flatMap((field) => {
    const item = decodeValue(kind, field.value, true)
    return item === undefined ? [] : [item]
  })

/** Decodes a request body in Kubernetes' protobuf envelope to JSON. Throws 400 or 415. */
export const decodeProtobuf = (body: Buffer): JsonObject => {
  if (!body.subarray(0, 4).equals(MAGIC)) throw malformed('it does not start with the prefix k8s\\0')
  const envelope = fieldsOf(body.subarray(4))
  const type = fieldsOf(bytesOf(envelope.get(1) ?? Buffer.alloc(0)))
  const apiVersion = textAt(type, 1) ?? ''
  const kind = textAt(type, 2) ?? ''
  const slash = apiVersion.indexOf('/')
  const root =
    ownValue(builtinRoots(), `${slash < 0 ? '' : apiVersion.slice(0, slash)}/${apiVersion.slice(slash + 1)}/${kind}`) ??
    (kind === 'DeleteOptions' ? deleteOptions : undefined)
  if (root === undefined || ownValue(layouts, root) === undefined) {
    throw new ApiError({
      code: 415,
      reason: 'UnsupportedMediaType',
      message: `${kind} of ${apiVersion} is not accepted as protobuf; send JSON`,
    })
  }
  return { apiVersion, kind, ...messageOf(root, bytesOf(envelope.get(2) ?? Buffer.alloc(0))) }
}

const deleteOptions = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'
