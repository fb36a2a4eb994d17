import { expect, test } from 'vitest'
import { takeProgrammingFaults } from './programming-faults.ts'
import { RecordingLogger } from './recording-logger.ts'

const thrownBy = (body: () => unknown): unknown => {
  try {
    return body()
  } catch (error) {
    return error
  }
}
const nothing = undefined as unknown as { kind: string; (): void }

test.each([
  ['a property of undefined', (): unknown => nothing.kind, 1],
  ['a call of a value that is not a function', (): unknown => nothing(), 1],
  ['a loop over a value that is not iterable', (): unknown => [...(nothing as unknown as string[])], 1],
  ['an undefined variable', (): unknown => new Function('return nobody')(), 1],
  ['a TypeError that a library throws on purpose', () => new TypeError('fetch failed'), 0],
  ['an ordinary error', () => new Error('the cloud is down'), 0],
])('a logged error counts as a programming error: %s', (_, body, count) => {
  new RecordingLogger().child('some').error('Reconciler error', { error: thrownBy(body) })
  expect(takeProgrammingFaults()).toHaveLength(count)
  expect(takeProgrammingFaults()).toEqual([])
})
