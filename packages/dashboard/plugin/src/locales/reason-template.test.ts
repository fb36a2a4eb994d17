import { expect, test } from 'vitest'
import { fillTemplate, placeholderNames } from './reason-template.ts'

test.each([
  ['a value', 'taint {{taint}}', { taint: 'gpu' }, 'taint gpu'],
  ['a missing value', 'taint {{taint}}!', {}, 'taint !'],
  ['an optional end with its value', 'none[[: {{problem}}]]', { problem: 'x' }, 'none: x'],
  ['an optional end without its value', 'none[[: {{problem}}]]', {}, 'none'],
  ['the first complete alternative', '[[{{a}} and {{b}}|only {{a}}|nothing]]', { a: '1' }, 'only 1'],
  ['the last alternative', '[[{{a}} and {{b}}|only {{a}}|nothing]]', {}, 'nothing'],
  ['nested alternatives', '[[{{a}}[[ of {{b}}| of any]]|-]].', { a: '1' }, '1 of any.'],
  ['a condition that prints nothing', 'x[[{{?flag}} yes]]', { flag: 'true' }, 'x yes'],
  ['a bar and brackets outside alternatives', 'a|b ]] {{x}}', { x: '[[{{x}}]]' }, 'a|b ]] [[{{x}}]]'],
] as const)('%s', (_, template, values, expected) => {
  expect(fillTemplate(template, values)).toBe(expected)
})

test('a property of the prototype is not a value', () => {
  expect(fillTemplate('[[{{toString}}|none]]', {})).toBe('none')
})

test('an alternative without an end is an error', () => {
  expect(() => fillTemplate('a [[b', {})).toThrow('no end')
})

test('every placeholder is listed', () => {
  expect(placeholderNames('[[{{?a}}{{b}}|{{c}}]]')).toEqual(['a', 'b', 'c'])
})
