import { expect, test } from 'vitest'
import { hasColour } from './style.ts'

test.each([
  [true, {}, true],
  [true, { TERM: 'dumb' }, false],
  [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [false, {}, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '0' }, false],
])('a terminal: %s, with %j: colours %s', (isTTY, env, expected) => expect(hasColour({ isTTY }, env)).toBe(expected))
