import { number, one, type Random } from '@kerf/provider-kit/testing'
import type { InPlaceUpdate } from '../in-place/in-place-update-hash.ts'

const CHARACTERS = [...'abcXYZ019-_./: =+@#<>&"\\\'üß漢😀\u2028\u2029\u007f\u00a0\t\n']

const text = (random: Random, longest: number): string =>
  Array.from({ length: number(random, 0, longest) }, () => one(random, CHARACTERS)).join('')

/** Returns random identities and tags with all kinds of characters. Either may be empty. */
export const randomInPlaceUpdate = (random: Random): InPlaceUpdate => ({
  identities: Array.from(
    { length: number(random, 0, 3) },
    () => `/subscriptions/1/resourceGroups/${text(random, 4)}/identities/${number(random, 1, 5)}`,
  ),
  tags: Object.fromEntries(
    Array.from({ length: number(random, 0, 6) }, () => [text(random, 10), text(random, 12)] as const),
  ),
})
