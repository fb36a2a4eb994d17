import { expect, test } from 'vitest'
import { sampleSeed } from './sample-seed.mjs'

const commit = 'e0f5d93a48f1c0ffee00e0f5d93a48f1c0ffee00'

test('the commit is the seed, and the text says how to repeat the sample', () => {
  const { seed, text } = sampleSeed({}, false, commit)
  expect(seed).toBe('e0f5d93a48f1')
  expect(text).toContain('KERF_SAMPLE_SEED=e0f5d93a48f1')
})

test('a requested seed replaces the commit', () => {
  expect(sampleSeed({ KERF_SAMPLE_SEED: '7' }, false, commit).seed).toBe('7')
})

test('an empty variable requests no seed', () => {
  expect(sampleSeed({ KERF_SAMPLE_SEED: '' }, false, commit).seed).toBe('e0f5d93a48f1')
})

test('a nightly run tests every item, so it needs no seed', () => {
  expect(sampleSeed({}, true, commit)).toEqual({ seed: undefined, text: '' })
})

test('a tree without git uses the default sample', () => {
  expect(sampleSeed({}, false, undefined)).toEqual({ seed: undefined, text: '' })
})
