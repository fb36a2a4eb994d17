import { createHash } from 'node:crypto'

/**
 * Encodes the tag `kerf.sh/nodeclaims` of an instance: the NodeClaims for which it may have been launched. All instances of a fleet have
 * the same tags, and a value has at most 256 characters. Up to nineteen NodeClaims are listed by a digest of their UID. If there are more,
 * the tag contains a Bloom filter, which matches all of them and some other claims (one in a thousand for a fleet of 100, one in 36 for
 * 200, one in two for 1,000). Other fields of the instance rule those out.
 */

const DIGEST = 12
/** A digest and a space have thirteen characters. */
const LISTED = 19
const BITS = 1_488
const MOST_HASHES = 16
/** The prefix of a Bloom filter value. Digests are hexadecimal and never begin with it. */
const FILTER = '~'

/** Returns the digest of a NodeClaim in the tag. */
export const claimDigest = (uid: string): string => createHash('sha256').update(uid).digest('hex').slice(0, DIGEST)

const hashesFor = (count: number): number => Math.max(1, Math.min(MOST_HASHES, Math.round((BITS / count) * Math.LN2)))

const bloomBits = (uid: string, hashes: number): readonly number[] => {
  const digest = createHash('sha256').update(uid).digest()
  return Array.from({ length: hashes }, (_, index) => digest.readUInt16BE(2 * index) % BITS)
}

/** Returns the tag value of instances that are launched together for these NodeClaims. */
export const launchedForValue = (uids: readonly string[]): string => {
  if (uids.length <= LISTED) return uids.map(claimDigest).join(' ')
  const filter = Buffer.alloc(BITS / 8)
  for (const uid of uids)
    for (const bit of bloomBits(uid, hashesFor(uids.length)))
      filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7))
  return `${FILTER}${uids.length}${FILTER}${filter.toString('base64url')}`
}

/** Returns true if an instance with this tag value may have been launched for the NodeClaim. */
export const mayBeLaunchedFor = (value: string | undefined, uid: string): boolean => {
  if (value === undefined || value === '') return false
  if (!value.startsWith(FILTER)) return value.split(' ').includes(claimDigest(uid))
  const [, count = '', text = ''] = value.split(FILTER)
  const filter = Buffer.from(text, 'base64url')
  if (filter.length !== BITS / 8 || !/^[1-9]\d*$/.test(count)) return false
  return bloomBits(uid, hashesFor(Number(count))).every((bit) => ((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0)
}

/** Returns true if the value lists its NodeClaims by digest, so that it matches no others. */
export const isExact = (value: string | undefined): boolean => value?.startsWith(FILTER) === false

/**
 * Returns EC2 filter values that match every instance that may have been launched for the NodeClaim: one specific value, and one
 * that is the same for all claims.
 */
export const launchedForFilters = (uid: string): { readonly value: string; readonly shared: string } => ({
  value: `*${claimDigest(uid)}*`,
  shared: `${FILTER}*`,
})
