import { expect, test } from 'vitest'
import { classifyConnectionFault } from './connection-fault.ts'

/** The error codes of the system that Node documents, and those of undici (page "Errors" of its documentation). */
test.each([
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout', true],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout', false],
  ['UND_ERR_BODY_TIMEOUT', 'timeout', false],
  ['ETIMEDOUT', 'timeout', false],
  ['UND_ERR_SOCKET', 'lost', false],
  ['ECONNRESET', 'lost', false],
  ['EPIPE', 'lost', false],
  ['ECONNREFUSED', 'other', true],
  ['ENOTFOUND', 'other', true],
  ['EAI_AGAIN', 'other', true],
  ['EHOSTUNREACH', 'other', true],
  ['ENETUNREACH', 'other', true],
  ['CERT_HAS_EXPIRED', 'other', false],
])('%s: %s, never sent: %s', (code, kind, wasNeverSent) => {
  const error = Object.assign(new Error('why'), { code })
  expect(classifyConnectionFault(error)).toEqual({ code, kind, wasNeverSent, message: 'why' })
})

test.each([
  [new Error('why'), 'why'],
  [Object.assign(new Error('why'), { code: 7 }), 'why'],
  ['why', 'why'],
  [null, 'null'],
])('for %s, only the text is known', (error, message) => {
  expect(classifyConnectionFault(error)).toEqual({ code: '', kind: 'other', wasNeverSent: false, message })
})
