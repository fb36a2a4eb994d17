import { describe, expect, test } from 'vitest'
import { FailedLaunches } from './failed-launches.ts'

/** Returns the back-off waits, in seconds, of a pool whose attempts all fail and that retries after each wait. */
const waits = (failed: FailedLaunches, rounds: number): readonly number[] => {
  let now = 1_000_000
  return Array.from({ length: rounds }, () => {
    failed.note('still', now)
    const wait = failed.wait('still', now)
    now += wait
    return wait / 1_000
  })
}

describe('a static pool whose claims never become nodes', () => {
  test('waits longer after each failure, up to the time for which an offering without capacity is skipped', () => {
    expect(waits(new FailedLaunches(), 8)).toEqual([5, 10, 20, 40, 80, 160, 180, 180])
  })

  test('waits until the time has passed, and not longer', () => {
    const failed = new FailedLaunches()
    expect(failed.wait('still', 0)).toBe(0)
    failed.note('still', 0)
    expect([0, 4_000, 4_999, 5_000, 60_000].map((now) => failed.wait('still', now))).toEqual([5_000, 1_000, 1, 0, 0])
  })

  test('counts the failures of all claims of one pass once', () => {
    const failed = new FailedLaunches()
    for (const at of [0, 1, 2_500, 4_999]) failed.note('still', at)
    expect(failed.wait('still', 4_999)).toBe(1)
    failed.note('still', 5_000)
    expect(failed.wait('still', 5_000)).toBe(10_000)
  })

  test('starts again with the first wait when it is cleared, and does not delay other pools', () => {
    const failed = new FailedLaunches()
    expect(waits(failed, 3)).toEqual([5, 10, 20])
    expect(failed.wait('other', 1_000_000)).toBe(0)
    failed.clear('other')
    expect(failed.wait('still', 1_000_000)).toBeGreaterThan(0)
    failed.clear('still')
    expect(failed.wait('still', 1_000_000)).toBe(0)
    expect(waits(failed, 2)).toEqual([5, 10])
  })
})
