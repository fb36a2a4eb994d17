import { readFileSync } from 'node:fs'
import { SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { randomInPlaceUpdate } from '../testing/random-in-place-update.ts'
import { inPlaceUpdateHash } from './in-place-update-hash.ts'

test('1,000 random identities and tags have the same hash as with Go’s JSON and FNV-1a', () => {
  // The expected hashes were created with Go's encoding/json and hash/fnv, and with upstream's field names.
  const hashes = readFileSync(new URL('in-place-update-hash.vectors.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const random = new SeededRandom('in-place')
  const own = hashes.map(() => inPlaceUpdateHash(randomInPlaceUpdate(random)))
  expect(own).toHaveLength(1000)
  expect(own).toEqual(hashes)
})

test('the order and repetition of identities and the order of tags do not matter', () => {
  expect(inPlaceUpdateHash({ identities: ['b', 'a', 'b'], tags: { d: '1', c: '2' } })).toBe(
    inPlaceUpdateHash({ identities: ['a', 'b'], tags: { c: '2', d: '1' } }),
  )
})
