import { describe, expect, test } from 'vitest'
import { SeededRandom } from './seeded-random.ts'
import { SystemRandom } from './system-random.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('SeededRandom', () => {
  test('returns the same values for the same seed, and different values for another seed', () => {
    const draw = (seed: string): number[] => {
      const random = new SeededRandom(seed)
      return Array.from({ length: 8 }, () => random.uint32())
    }
    expect(draw('a')).toEqual(draw('a'))
    expect(draw('a')).not.toEqual(draw('b'))
  })

  test('returns a fork that does not depend on earlier values', () => {
    const untouched = new SeededRandom(7).fork('pods').text(10)
    const used = new SeededRandom(7)
    for (let index = 0; index < 100; index++) used.next()
    expect(used.fork('pods').text(10)).toBe(untouched)
    expect(used.fork('nodes').text(10)).not.toBe(untouched)
  })

  test.each([
    ['seeded', new SeededRandom(1)],
    ['system', new SystemRandom()],
  ])('returns %s values that are uniform and in range', (_name, random) => {
    const buckets = new Array<number>(16).fill(0)
    let inRange = true
    for (let index = 0; index < 64_000; index++) {
      const value = random.next()
      inRange &&= value >= 0 && value < 1
      const bucket = Math.floor(value * 16)
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
    }
    expect(inRange).toBe(true)
    for (const count of buckets) expect(Math.abs(count - 4_000)).toBeLessThan(400)
    expect(random.uuid()).toMatch(UUID)
    expect(random.text(5)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    expect(random.text(3, 'x')).toBe('xxx')
  })
})
