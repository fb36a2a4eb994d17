import { expect, test } from 'vitest'
import { choosePropertySeed } from './property-seed.mjs'

const draw = (): number => 4711

test('npm test uses the same inputs every time', () => {
  expect(choosePropertySeed({}, false, draw)).toEqual({ seed: undefined, text: '' })
})

test('a nightly run draws a seed, and prints how to use it again', () => {
  const { seed, text } = choosePropertySeed({}, true, draw)
  expect(seed).toBe('4711')
  expect(text).toContain('KERF_PROPERTY_SEED=4711')
})

test.each([true, false])('a requested seed is used (nightly: %s)', (isNightly) => {
  expect(choosePropertySeed({ KERF_PROPERTY_SEED: '7' }, isNightly, draw).seed).toBe('7')
})

test('an empty variable requests no seed', () => {
  expect(choosePropertySeed({ KERF_PROPERTY_SEED: '' }, false, draw).seed).toBeUndefined()
})

test('if each property has its own seed, only that is printed beforehand', () => {
  expect(choosePropertySeed({ KERF_PROPERTY_SEED: 'random' }, true, draw).text).toContain('a failure prints it')
})
