import { expect, test } from 'vitest'
import { afterRequest, type Contact, isResponse, NO_CONTACT, staleSince } from './reachability.ts'

/** Returns the contact after requests at the times 1, 2, and so on. */
const after = (...answers: readonly boolean[]): Contact =>
  answers.reduce((contact, isAnswered, place) => afterRequest(contact, place + 1, isAnswered), NO_CONTACT)

test('figures are old since the last response, until the API server responds again', () => {
  expect(staleSince(after(true, true))).toBeUndefined()
  expect(staleSince(after(true, true, false))).toBe(2)
  expect(staleSince(after(true, true, false, false, false))).toBe(2)
  expect(staleSince(after(true, false, true))).toBeUndefined()
  expect(staleSince(after(true, false, true, false))).toBe(3)
})

test('a page without any response has no figures that could be old', () => {
  expect(staleSince(after(false, false))).toBeUndefined()
})

test.each([
  [{ status: 403 }, true],
  [{ status: 401 }, true],
  [{ status: 404 }, true],
  [{ status: 408 }, false],
  [{ status: 502 }, false],
  [{ status: 503 }, false],
  [new TypeError('Failed to fetch'), false],
  [undefined, false],
])('the error %o is a response of the API server: %s', (error, isFromServer) => {
  expect(isResponse(error)).toBe(isFromServer)
})
