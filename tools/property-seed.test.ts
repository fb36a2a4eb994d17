import { expect, test } from 'vitest'
import { propertySeedOf } from './property-seed.mjs'

const draw = (): number => 4711

test('npm test tries the same inputs every time', () => {
  expect(propertySeedOf({}, false, draw)).toEqual({ seed: undefined, text: '' })
})

test('a nightly run draws a seed, and prints how to have it again', () => {
  const { seed, text } = propertySeedOf({}, true, draw)
  expect(seed).toBe('4711')
  expect(text).toContain('KERF_PROPERTY_SEED=4711')
})

test.each([true, false])('a seed that is asked for is taken (nightly: %s)', (isNightly) => {
  expect(propertySeedOf({ KERF_PROPERTY_SEED: '7' }, isNightly, draw).seed).toBe('7')
})

test('an empty variable asks for nothing', () => {
  expect(propertySeedOf({ KERF_PROPERTY_SEED: '' }, false, draw).seed).toBeUndefined()
})

test('with a seed for each property there is nothing to print beforehand but that', () => {
  expect(propertySeedOf({ KERF_PROPERTY_SEED: 'random' }, true, draw).text).toContain('a failure prints it')
})
