import { describe, expect, test } from 'vitest'
import { errorOfResponse, errorOfStatus } from './status.ts'

describe('an unsuccessful response', () => {
  test.each([
    [400, 'BadRequest'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [405, 'MethodNotAllowed'],
    [406, 'NotAcceptable'],
    [409, 'Conflict'],
    [410, 'Gone'],
    [413, 'RequestEntityTooLarge'],
    [415, 'UnsupportedMediaType'],
    [422, 'Invalid'],
    [429, 'TooManyRequests'],
    [500, 'InternalError'],
    [503, 'ServiceUnavailable'],
    [504, 'Timeout'],
    [418, 'InternalError'],
    [502, 'InternalError'],
  ])('with %i has the reason %s, from plain text or from a status without a reason', (code, reason) => {
    expect(errorOfResponse(code, 'no', 'GET /x')).toMatchObject({ code, reason })
    for (const status of [
      { kind: 'Status', code },
      { kind: 'Status', code, reason: '' },
      { kind: 'Status', code, reason: 7 },
    ])
      expect(errorOfResponse(code, JSON.stringify(status), 'GET /x')).toMatchObject({ code, reason })
  })

  test('is quoted in one line of at most two hundred characters if its body is not a status', () => {
    expect(errorOfResponse(502, ' bad\n\n gateway ', 'GET /x').message).toBe(
      'GET /x was answered with 502: bad gateway',
    )
    expect(errorOfResponse(502, 'a'.repeat(300), 'GET /x').message).toBe(
      `GET /x was answered with 502: ${'a'.repeat(200)}`,
    )
    expect(errorOfResponse(502, ' \n', 'GET /x').message).toBe('GET /x was answered with 502')
    for (const body of ['null', '"Status"', '[]', '{"kind":"Node"}']) {
      expect(errorOfResponse(500, body, 'GET /x').message).toBe(`GET /x was answered with 500: ${body}`)
    }
  })

  test('takes the retry delay from the status before the header', () => {
    expect(errorOfResponse(503, 'no', 'GET /x', 7).details).toEqual({ retryAfterSeconds: 7 })
    expect(errorOfResponse(503, 'no', 'GET /x').details).toEqual({})
    expect(errorOfStatus({ kind: 'Status', details: { name: 'a' } }, 7)?.details).toEqual({
      name: 'a',
      retryAfterSeconds: 7,
    })
    expect(errorOfStatus({ kind: 'Status', details: { retryAfterSeconds: 3 } }, 7)?.details).toEqual({
      retryAfterSeconds: 3,
    })
    expect(errorOfStatus({ kind: 'Status', details: { name: 'a' } })?.details).toEqual({ name: 'a' })
  })

  test('may contain an incomplete status', () => {
    const read = (status: object) => {
      const { code, reason, message, details } = errorOfStatus({ kind: 'Status', ...status }) ?? {}
      return { code, reason, message, details }
    }
    const unknown = { code: 500, reason: 'InternalError', message: 'the API server answered 500', details: {} }
    expect(read({})).toEqual(unknown)
    expect(read({ code: '404', message: 5, details: 'none' })).toEqual(unknown)
    const message = 'nodes "a" not found'
    expect(read({ code: 404, message, details: null })).toEqual({ code: 404, reason: 'NotFound', message, details: {} })
    for (const other of [undefined, null, 'Status', {}, { kind: 'Node' }]) expect(errorOfStatus(other)).toBeUndefined()
  })
})
