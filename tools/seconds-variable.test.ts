import { expect, test } from 'vitest'
import { secondsVariable } from './seconds-variable.mjs'

test.each([
  [{ A: '90' }, 90],
  [{ A: '0' }, 0],
  [{ A: '' }, 900],
  [{}, 900],
])('%o means %d seconds', (env, seconds) => {
  expect(secondsVariable(env, 'A', 900)).toBe(seconds)
})

test.each(['-5', '1.5', '15m', 'much', '1e3', ' 5', '9999999999'])(
  '"%s" is refused, and the message shows a valid value',
  (text) => {
    expect(() => secondsVariable({ A: text }, 'A', 900)).toThrow(
      new Error(`A is "${text}": give it a whole number of seconds, for example 900`),
    )
  },
)
