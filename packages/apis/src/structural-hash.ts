/**
 * This file computes structural hashes with exactly the same result as Karpenter (`docs/spec/lifecycle.md#nodepool-controllers`,
 * `providers/aws/docs/spec/aws-node-class.md#drift-hash`). Otherwise every node of a cluster that Kerf takes over would drift. The hash is
 * FNV-1 with 64 bits. It treats lists as sets, ignores zero values, and includes the names of Go types and fields.
 */
const OFFSET = 14_695_981_039_346_656_037n
const PRIME = 1_099_511_628_211n
const MASK = (1n << 64n) - 1n

const fnv = (bytes: Uint8Array): bigint => {
  let hash = OFFSET
  for (const byte of bytes) hash = ((hash * PRIME) & MASK) ^ BigInt(byte)
  return hash
}

const littleEndian = (...values: readonly bigint[]): Uint8Array => {
  const bytes = new Uint8Array(values.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [index, value] of values.entries()) view.setBigUint64(index * 8, BigInt.asUintN(64, value), true)
  return bytes
}

const encoder = new TextEncoder()
const combine = (a: bigint, b: bigint): bigint => fnv(littleEndian(a, b))
const finish = (hash: bigint): bigint => fnv(littleEndian(hash))

export const hashBytes = fnv
export const hashText = (text: string): bigint => fnv(encoder.encode(text))
export const hashBoolean = (value: boolean): bigint => fnv(Uint8Array.of(value ? 1 : 0))
/** Hashes a 64-bit integer. */
export const hashInteger = (value: bigint | number): bigint => fnv(littleEndian(BigInt(value)))
/** Hashes a 32-bit integer. The same number as a 64-bit integer has a different hash. */
export const hashInt32 = (value: number): bigint => fnv(littleEndian(BigInt(value)).subarray(0, 4))

/** Hashes a floating-point number with 32 bits. */
export const hashFloat32 = (value: number): bigint => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setFloat32(0, value, true)
  return fnv(bytes)
}

/** Hashes an unsigned 16-bit integer. */
export const hashUint16 = (value: number): bigint => fnv(littleEndian(BigInt(value)).subarray(0, 2))

/** The hash of a field, or `undefined` for a zero value, which is not part of the hash. */
export type FieldHash = bigint | undefined

/** Hashes a struct. The fields must be in the order of the Go type's declaration. */
export const hashStruct = (name: string, fields: readonly (readonly [string, FieldHash])[]): bigint =>
  fields.reduce(
    (hash, [field, value]) => (value === undefined ? hash : finish(hash ^ combine(hashText(field), value))),
    hashText(name),
  )

/** Hashes a map. The order does not matter. */
export const hashEntries = <T>(
  value: Readonly<Record<string, T>> | undefined,
  hash: (entry: T) => bigint,
): FieldHash =>
  value === undefined
    ? undefined
    : finish(Object.entries(value).reduce((sum, [key, entry]) => sum ^ combine(hashText(key), hash(entry)), 0n))

export const hashMap = (value: Readonly<Record<string, string>> | undefined): FieldHash => hashEntries(value, hashText)

/** Hashes a list as a set. The order does not matter, and two equal items cancel each other out. */
export const hashSet = <T>(items: readonly T[] | undefined, hash: (item: T) => bigint): FieldHash =>
  items?.reduce((sum, item) => sum ^ hash(item), 0n)
