import { expect, test } from 'vitest'
import { propertySeedOf } from './property-seed.mjs'

const draw = (): number => 4711

test('npm test uses the same inputs every time', () => {
  expect(propertySeedOf({}, false, draw)).toEqual({ seed: undefined, text: '' })
})

test('a nightly run draws a seed, and prints how to use it again', () => {
  const { seed, text } = propertySeedOf({}, true, draw)
  expect(seed).toBe('4711')
  expect(text).toContain('KERF_PROPERTY_SEED=4711')
})

test.each([true, false])('a requested seed is used (nightly: %s)', (isNightly) => {
  expect(propertySeedOf({ KERF_PROPERTY_SEED: '7' }, isNightly, draw).seed).toBe('7')
})

test('an empty variable requests no seed', () => {
  expect(propertySeedOf({ KERF_PROPERTY_SEED: '' }, false, draw).seed).toBeUndefined()
})

test('if each property has its own seed, only that is printed beforehand', () => {
  expect(propertySeedOf({ KERF_PROPERTY_SEED: 'random' }, true, draw).text).toContain('a failure prints it')
})
