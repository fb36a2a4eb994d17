import { describe, expect, test } from 'vitest'
import { describeFault, isConnectionReset, unreachable } from './unreachable.ts'

const fault = (code: string): Error => Object.assign(new Error('what Node says'), { code })

describe('a network error', () => {
  test.each([
    ['ECONNREFUSED', 'connection refused', false],
    ['ECONNRESET', 'connection reset', true],
    ['EPIPE', 'connection reset', true],
    ['EHOSTUNREACH', 'host unreachable', false],
    ['ENETUNREACH', 'network unreachable', false],
    ['ENOTFOUND', 'host name not found', false],
    ['EAI_AGAIN', 'host name lookup failed temporarily', false],
    ['ETIMEDOUT', 'no answer in time', false],
    ['UND_ERR_CONNECT_TIMEOUT', 'no answer in time', false],
    ['UND_ERR_HEADERS_TIMEOUT', 'no answer in time', false],
    ['UND_ERR_BODY_TIMEOUT', 'the response was incomplete', false],
    ['UND_ERR_SOCKET', 'connection closed by the server', true],
    ['UND_ERR_ABORTED', 'connection closed', false],
    ['UND_ERR_INFO', 'connection closed by the server', true],
    ['ERR_HTTP2_STREAM_ERROR', 'connection closed by the server', true],
    ['ERR_HTTP2_SESSION_ERROR', 'connection closed by the server', true],
    ['ERR_HTTP2_GOAWAY_SESSION', 'connection closed by the server', true],
    ['ERR_SILENT_CONNECTION', 'the connection went silent', true],
    ['ERR_STREAM_PREMATURE_CLOSE', 'connection closed by the server', false],
  ])('with code %s is reported as "%s" (retried on a new connection: %s)', (code, words, isReset) => {
    expect(describeFault(fault(code))).toBe(words)
    expect(describeFault(new Error('fetch failed', { cause: fault(code) }))).toBe(words)
    expect(isConnectionReset(fault(code))).toBe(isReset)
  })

  test('with an unknown code is reported by its first line', () => {
    expect(describeFault(Object.assign(new Error('bad record\nof TLS'), { code: 'ERR_SSL' }))).toBe('bad record')
    expect(describeFault('half a word')).toBe('half a word')
    expect(isConnectionReset('half a word')).toBe(false)
  })

  test('becomes an error with code 0 that names the server without the secrets in its address', () => {
    const cause = fault('ENOTFOUND')
    expect(unreachable('https://me:secret@api.example:6443/token', cause)).toMatchObject({
      code: 0,
      reason: 'Unreachable',
      message: 'cannot reach https://api.example:6443: host name not found',
      details: { causes: [{ message: 'host name not found' }] },
      cause,
    })
  })
})
