import { parseDurationNanoseconds } from './duration.ts'
import type { Taint } from './kubernetes/node.ts'
import type { NodePool } from './resources/node-pool.ts'

/** Version of the hash below; claims with another version are stamped anew instead of drifting. */
export const HASH_VERSION = 'v3'

/**
 * Structural hashing as Karpenter does it, bit for bit (`spec/disruption-and-lifecycle.md` 1.9): otherwise every node of
 * an adopted cluster would drift. FNV-1 with 64 bits, lists as sets, zero values left out, names of Go types and fields.
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
const hashText = (text: string): bigint => fnv(encoder.encode(text))
const hashInteger = (value: bigint): bigint => fnv(littleEndian(value))
const combine = (a: bigint, b: bigint): bigint => fnv(littleEndian(a, b))
const finish = (hash: bigint): bigint => fnv(littleEndian(hash))

/** A field's hash; `undefined` for a zero value, which is left out. */
type FieldHash = bigint | undefined

const hashStruct = (name: string, fields: readonly (readonly [string, FieldHash])[]): bigint =>
  fields.reduce(
    (hash, [field, value]) => (value === undefined ? hash : finish(hash ^ combine(hashText(field), value))),
    hashText(name),
  )

/** A structure inside another one: left out when all of it is. */
const nested = (name: string, fields: readonly (readonly [string, FieldHash])[]): FieldHash =>
  fields.every(([, value]) => value === undefined) ? undefined : hashStruct(name, fields)

const text = (value: string | undefined): FieldHash =>
  value === undefined || value === '' ? undefined : hashText(value)

const map = (value: Readonly<Record<string, string>> | undefined): FieldHash =>
  value === undefined
    ? undefined
    : finish(Object.entries(value).reduce((hash, [key, entry]) => hash ^ combine(hashText(key), hashText(entry)), 0n))

/** Order does not matter, and equal items cancel each other out. */
const set = <T>(items: readonly T[] | undefined, hash: (item: T) => bigint): FieldHash =>
  items?.reduce((sum, item) => sum ^ hash(item), 0n)

const hashTaint = (taint: Taint): bigint =>
  hashStruct('Taint', [
    ['Key', text(taint.key)],
    ['Value', text(taint.value)],
    ['Effect', text(taint.effect)],
    ['TimeAdded', taint.timeAdded === undefined ? undefined : hashTime(taint.timeAdded)],
  ])

/**
 * A time is hashed by its binary form in Go: version, seconds since year 1, nanoseconds, minutes east of UTC (a time read
 * from JSON is local, and controllers run in UTC).
 */
const hashTime = (time: string): bigint => {
  const seconds = BigInt(Math.floor(Date.parse(time) / 1000)) + 62_135_596_800n
  const bytes = new Uint8Array(15)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, 1)
  view.setBigUint64(1, seconds, false)
  return hashStruct('Time', [['Time', fnv(bytes)]])
}

const duration = (name: string, value: string | undefined): FieldHash => {
  if (value === undefined || value === 'Never') return undefined
  const nanoseconds = parseDurationNanoseconds(value)
  return hashStruct(name, [
    ['Duration', nanoseconds === 0n && name === 'Duration' ? undefined : hashInteger(nanoseconds)],
  ])
}

/**
 * The fingerprint of what a NodePool's nodes are made from, in decimal: labels, annotations, taints, startup taints, node
 * class, grace period and expiry. Requirements are left out; they drift by comparison with the node's labels.
 *
 * @throws DurationError for a pool that was never validated.
 */
export const nodePoolHash = (nodePool: Pick<NodePool, 'spec'>): string => {
  const { metadata, spec } = nodePool.spec.template
  const ref = spec.nodeClassRef
  return hashStruct('NodeClaimTemplate', [
    [
      'ObjectMeta',
      nested('ObjectMeta', [
        ['Labels', map(metadata?.labels)],
        ['Annotations', map(metadata?.annotations)],
      ]),
    ],
    [
      'Spec',
      nested('NodeClaimTemplateSpec', [
        ['Taints', set(spec.taints, hashTaint)],
        ['StartupTaints', set(spec.startupTaints, hashTaint)],
        [
          'NodeClassRef',
          nested('NodeClassReference', [
            ['Kind', text(ref.kind)],
            ['Name', text(ref.name)],
            ['Group', text(ref.group)],
          ]),
        ],
        ['TerminationGracePeriod', duration('Duration', spec.terminationGracePeriod)],
        ['ExpireAfter', duration('NillableDuration', spec.expireAfter)],
      ]),
    ],
  ]).toString()
}
