import { createHash } from 'node:crypto'

/**
 * What the tag `kerf.sh/nodeclaims` of an instance says: which NodeClaims it may have been launched for. All instances of
 * a fleet have the same tags, and a value ends at 256 characters, so up to nineteen NodeClaims are listed by a digest
 * of their uid, and more are put into a Bloom filter: whoever is in it is found, and somebody else now and then (one in
 * a thousand for a fleet of 100, one in 36 for 200, one in two for 1,000). What else is known of an instance tells those apart.
 */

const DIGEST = 12
/** A digest and a space take thirteen characters. */
const LISTED = 19
const BITS = 1_488
const MOST_HASHES = 16
/** What the value of a filter begins with; a digest is hexadecimal. */
const FILTER = '~'

/** How a NodeClaim is named in the tag. */
export const claimDigest = (uid: string): string => createHash('sha256').update(uid).digest('hex').slice(0, DIGEST)

const hashesFor = (count: number): number => Math.max(1, Math.min(MOST_HASHES, Math.round((BITS / count) * Math.LN2)))

const bitsOf = (uid: string, hashes: number): readonly number[] => {
  const digest = createHash('sha256').update(uid).digest()
  return Array.from({ length: hashes }, (_, index) => digest.readUInt16BE(2 * index) % BITS)
}

/** The value of the tag for instances that are launched together for these NodeClaims. */
export const launchedForValue = (uids: readonly string[]): string => {
  if (uids.length <= LISTED) return uids.map(claimDigest).join(' ')
  const filter = Buffer.alloc(BITS / 8)
  for (const uid of uids)
    for (const bit of bitsOf(uid, hashesFor(uids.length))) filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7))
  return `${FILTER}${uids.length}${FILTER}${filter.toString('base64url')}`
}

/** Whether an instance with this value of the tag may have been launched for the NodeClaim. */
export const mayBeLaunchedFor = (value: string | undefined, uid: string): boolean => {
  if (value === undefined || value === '') return false
  if (!value.startsWith(FILTER)) return value.split(' ').includes(claimDigest(uid))
  const [, count = '', text = ''] = value.split(FILTER)
  const filter = Buffer.from(text, 'base64url')
  if (filter.length !== BITS / 8 || !/^[1-9]\d*$/.test(count)) return false
  return bitsOf(uid, hashesFor(Number(count))).every((bit) => ((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0)
}

/** Whether the value lists its NodeClaims, so that nobody else is found in it. */
export const isExact = (value: string | undefined): boolean => value?.startsWith(FILTER) === false

/**
 * Values of a filter of EC2 that let every instance through that may have been launched for the NodeClaim: one of its own,
 * and one that is the same for all.
 */
export const launchedForFilters = (uid: string): { readonly value: string; readonly shared: string } => ({
  value: `*${claimDigest(uid)}*`,
  shared: `${FILTER}*`,
})
