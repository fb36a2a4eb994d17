import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  DurationError,
  formatDuration,
  parseDuration,
  parseDurationNanoseconds,
  parseNillableDuration,
  tryParseDuration,
} from './duration.ts'

const vectors = readFileSync(new URL('./duration.vectors.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [text = '', nanoseconds = '', printed = ''] = line.split('\t')
    return { text: JSON.parse(text) as string, nanoseconds, printed }
  })

describe('parsing as in Go', () => {
  test('invalid texts are refused with an error that contains them', () => {
    const refused = vectors.filter(({ nanoseconds }) => nanoseconds === 'refused')
    expect(refused.length).toBeGreaterThan(100)
    for (const { text } of refused) {
      expect(() => parseDurationNanoseconds(text), JSON.stringify(text)).toThrow(DurationError)
      expect(() => parseDuration(text)).toThrow(JSON.stringify(text))
      expect(tryParseDuration(text)).toBeUndefined()
    }
  })

  test('valid texts have the same duration as in Go', () => {
    const good = vectors.filter(({ nanoseconds }) => nanoseconds !== 'refused')
    expect(good.length).toBeGreaterThan(80)
    for (const { text, nanoseconds } of good) {
      expect(parseDurationNanoseconds(text), JSON.stringify(text)).toBe(BigInt(nanoseconds))
    }
  })

  test('durations are formatted as in Go, to a microsecond', () => {
    for (const { text, nanoseconds, printed } of vectors) {
      if (nanoseconds === 'refused' || BigInt(nanoseconds) % 1000n !== 0n) continue
      if (!Number.isSafeInteger(Number(nanoseconds))) continue
      expect(formatDuration(parseDuration(text)), JSON.stringify(text)).toBe(printed)
    }
  })
})

test.each(Object.getOwnPropertyNames(Object.prototype))('1%s has no valid unit', (name) => {
  expect(() => parseDuration(`1${name}`)).toThrow(DurationError)
})

test('whole seconds, minutes and hours are exact, in any order', () => {
  const part = fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.constantFrom('s', 'm', 'h'))
  const seconds = { s: 1, m: 60, h: 3600 }
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const text = parts.map(([amount, unit]) => `${amount}${unit}`).join('')
      const expected = parts.reduce((sum, [amount, unit]) => sum + amount * seconds[unit as keyof typeof seconds], 0)
      expect(parseDuration(text)).toBe(expected * 1000)
    }),
  )
})

test('a formatted duration parses as the same duration', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (milliseconds) => {
      expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds === 0 ? 0 : milliseconds)
    }),
  )
})

test('Never is not a duration', () => {
  expect(parseNillableDuration('Never')).toBe('Never')
  expect(parseNillableDuration('1h30m')).toBe(5_400_000)
  expect(() => parseNillableDuration('never')).toThrow(DurationError)
})
