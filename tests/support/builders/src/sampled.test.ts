import { expect, test } from 'vitest'
import { isNightly, oneIn, propertyRuns, sampled } from './sampled.ts'

const items = Array.from({ length: 50 }, (_, index) => index)

test('a sample has the requested number of items, in their original order, and is identical every time', () => {
  const sample = sampled(items, 7, 'matrix', {})
  expect(new Set(sample).size).toBe(7)
  expect(sample).toEqual([...sample].sort((a, b) => a - b))
  expect(sampled(items, 7, 'matrix', {})).toEqual(sample)
  expect(sampled(items, 80, 'matrix', {})).toEqual(items)
})

test('a different matrix name or seed selects a different sample', () => {
  const sample = sampled(items, 7, 'matrix', {})
  expect(sampled(items, 7, 'another', {})).not.toEqual(sample)
  expect(sampled(items, 7, 'matrix', { KERF_SAMPLE_SEED: 'b' })).not.toEqual(sample)
  expect(sampled(items, 7, 'matrix', { KERF_SAMPLE_SEED: '' })).toEqual(sample)
})

test('for every item, some seed selects it', () => {
  const seeds = Array.from({ length: 100 }, (_, seed) => String(seed))
  const drawn = new Set(seeds.flatMap((seed) => sampled(items, 7, 'matrix', { KERF_SAMPLE_SEED: seed })))
  expect(drawn.size).toBe(items.length)
})

test('of items that are counted one by one, every third one is selected, each by some seed, and all of them in a nightly run', () => {
  const drawn = (environment: Readonly<Record<string, string>>): readonly number[] => {
    const isDrawn = oneIn(3, 'matrix', environment)
    return items.filter(() => isDrawn())
  }
  const sample = drawn({})
  expect(sample.slice(1).map((item, index) => item - (sample[index] ?? 0))).toEqual(sample.slice(1).map(() => 3))
  const seeds = Array.from({ length: 20 }, (_, seed) => String(seed))
  expect(new Set(seeds.flatMap((seed) => drawn({ KERF_SAMPLE_SEED: seed }))).size).toBe(items.length)
  expect(drawn({ KERF_NIGHTLY: '1' })).toEqual(items)
})

test('a nightly run tests all items', () => {
  expect(isNightly({})).toBe(false)
  expect(isNightly({ KERF_NIGHTLY: '' })).toBe(false)
  expect(isNightly({ KERF_NIGHTLY: '1' })).toBe(true)
  expect(sampled(items, 7, 'matrix', { KERF_NIGHTLY: '1' })).toEqual(items)
})

test('a property is tested on a quarter of its inputs, and on all of them in a nightly run', () => {
  expect([300, 50, 8].map((complete) => propertyRuns(complete, {}))).toEqual([75, 20, 8])
  expect(propertyRuns(300, { KERF_NIGHTLY: '1' })).toBe(300)
  expect(propertyRuns(300, { KERF_NIGHTLY: '1', KERF_PROPERTY_RUNS: '5000' })).toBe(5_000)
})
