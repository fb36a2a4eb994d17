import { expect, test } from 'vitest'
import { claimDigest, isExact, launchedForFilters, launchedForValue, mayBeLaunchedFor } from './launched-for.ts'

const uids = (count: number, prefix = 'uid'): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

test.each([1, 2, 19, 20, 42, 200, 1_000])('a fleet for %i NodeClaims names them in a tag that EC2 accepts', (count) => {
  const value = launchedForValue(uids(count))
  expect(value.length).toBeLessThanOrEqual(256)
  for (const uid of uids(count)) expect(mayBeLaunchedFor(value, uid)).toBe(true)
  expect(isExact(value)).toBe(count <= 19)
})

test.each([
  [19, 0],
  [20, 0],
  [100, 0.005],
  [200, 0.05],
  [1_000, 0.6],
])('the tag of %i NodeClaims matches at most the fraction %d of other claims', (count, share) => {
  const value = launchedForValue(uids(count))
  const others = uids(5_000, 'other').filter((uid) => mayBeLaunchedFor(value, uid))
  expect(others.length / 5_000).toBeLessThanOrEqual(share)
})

test('any other value matches no claim', () => {
  const [uid = ''] = uids(1)
  for (const value of [undefined, '', '~', '~20~', '~0~AAAA', '~x~', 'nodeclaim-a', `~20~${'A'.repeat(10)}`])
    expect(mayBeLaunchedFor(value, uid)).toBe(false)
})

test('the EC2 filters match both formats', () => {
  const patterns = Object.values(launchedForFilters('uid-1')).map(
    (each) => new RegExp(`^${each.replaceAll('*', '.*')}$`),
  )
  for (const count of [2, 200])
    expect(patterns.some((pattern) => pattern.test(launchedForValue(uids(count))))).toBe(true)
  expect(patterns.some((pattern) => pattern.test(claimDigest('uid-2')))).toBe(false)
})
