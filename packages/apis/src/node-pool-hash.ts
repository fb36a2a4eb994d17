import { parseDurationNanoseconds } from './duration.ts'
import type { Taint } from './kubernetes/node.ts'
import type { NodePool } from './resources/node-pool.ts'
import { type FieldHash, hashBytes, hashInteger, hashMap, hashSet, hashStruct, hashText } from './structural-hash.ts'

/** The version of the hash. A claim with another hash version gets a new hash and does not drift. */
export const HASH_VERSION = 'v3'

/** Returns the hash of a nested structure, or `undefined` if all its fields are empty. */
const nested = (name: string, fields: readonly (readonly [string, FieldHash])[]): FieldHash =>
  fields.every(([, value]) => value === undefined) ? undefined : hashStruct(name, fields)

const text = (value: string | undefined): FieldHash =>
  value === undefined || value === '' ? undefined : hashText(value)

const hashTaint = (taint: Taint): bigint =>
  hashStruct('Taint', [
    ['Key', text(taint.key)],
    ['Value', text(taint.value)],
    ['Effect', text(taint.effect)],
    ['TimeAdded', taint.timeAdded === undefined ? undefined : hashTime(taint.timeAdded)],
  ])

/**
 * Hashes a time in the binary form that Go uses: version, seconds since year 1, nanoseconds, and the offset from UTC in
 * minutes. Go converts a time from JSON to local time, which is UTC in the controllers.
 */
const hashTime = (time: string): bigint => {
  const seconds = BigInt(Math.floor(Date.parse(time) / 1000)) + 62_135_596_800n
  const bytes = new Uint8Array(15)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, 1)
  view.setBigUint64(1, seconds, false)
  return hashStruct('Time', [['Time', hashBytes(bytes)]])
}

const duration = (name: string, value: string | undefined): FieldHash => {
  if (value === undefined || value === 'Never') return undefined
  const nanoseconds = parseDurationNanoseconds(value)
  return hashStruct(name, [
    ['Duration', nanoseconds === 0n && name === 'Duration' ? undefined : hashInteger(nanoseconds)],
  ])
}

/**
 * Returns the hash, as a decimal number, of the NodePool fields that define new nodes: labels, annotations, taints, startup taints, node
 * class, grace period and expiry. It does not include requirements, because their drift is detected from the node's labels.
 * @throws DurationError if the pool was not validated.
 */
export const nodePoolHash = (nodePool: Pick<NodePool, 'spec'>): string => {
  const { metadata, spec } = nodePool.spec.template
  const ref = spec.nodeClassRef
  return hashStruct('NodeClaimTemplate', [
    [
      'ObjectMeta',
      nested('ObjectMeta', [
        ['Labels', hashMap(metadata?.labels)],
        ['Annotations', hashMap(metadata?.annotations)],
      ]),
    ],
    [
      'Spec',
      nested('NodeClaimTemplateSpec', [
        ['Taints', hashSet(spec.taints, hashTaint)],
        ['StartupTaints', hashSet(spec.startupTaints, hashTaint)],
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
