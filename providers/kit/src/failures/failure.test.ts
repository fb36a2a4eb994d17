import { describe, expect, test } from 'vitest'
import {
  type Concern,
  type FailureClass,
  failureClassifier,
  failureConcern,
  readField,
  readTextField,
} from './failure.ts'

/** Returns an error in the form that the client of a cloud throws, with the error code of the response and the number of attempts. */
const thrown = (
  facts: { readonly codes?: readonly string[]; readonly status?: number; readonly attempts?: number },
  text = 'refused',
) => Object.assign(new Error(text), { facts })

const classify = failureClassifier(
  new Map<string, FailureClass>([
    ['NoSuchServer', 'not-found'],
    ['SlowDown', 'rate-limited'],
    ['NoQuota', 'account'],
  ]),
  (error) => ({ codes: [], ...(readField(error, 'facts') as object) }),
)

describe('the class of a failure', () => {
  test.each<[string, unknown, FailureClass, string]>([
    [
      'the first known code applies',
      thrown({ codes: ['E404', 'NoSuchServer', 'NoQuota'] }),
      'not-found',
      'NoSuchServer',
    ],
    [
      'the code takes precedence over the status',
      thrown({ codes: ['SlowDown'], status: 503 }),
      'rate-limited',
      'SlowDown',
    ],
    ['an unknown refusal has the class other', thrown({ codes: ['Odd', 'Odder'], status: 499 }), 'other', 'Odd'],
    ['a status from 400 is a client error', thrown({ codes: ['Odd'], status: 400 }), 'other', 'Odd'],
    ['a server error', thrown({ codes: ['Odd'], status: 500 }), 'server', 'Odd'],
    ['a response that cannot be read', thrown({ codes: ['SyntaxError'], status: 399 }), 'server', 'SyntaxError'],
    ['no response', thrown({}), 'server', 'Unknown'],
    ['a thrown value that is not an error', 'text', 'server', 'Unknown'],
    ['no address', Object.assign(new Error('x'), { code: 'ENOTFOUND' }), 'no-endpoint', 'ENOTFOUND'],
    [
      'an unresolved host name, as fetch reports it',
      new Error('x', { cause: { code: 'ENOTFOUND' } }),
      'no-endpoint',
      'ENOTFOUND',
    ],
    [
      'a service error with the code of a host name error',
      Object.assign(thrown({ codes: ['NoQuota'] }), { code: 'ENOTFOUND' }),
      'account',
      'NoQuota',
    ],
  ])('%s', (_, error, kind, code) => {
    expect(classify(error)).toMatchObject({ class: kind, code })
  })

  test('the code and message are kept', () => {
    expect(
      classify(Object.assign(thrown({}, 'no such thing'), { facts: { codes: ['NoSuchServer'], requestId: 'r-1' } })),
    ).toEqual({
      class: 'not-found',
      code: 'NoSuchServer',
      message: 'no such thing',
      requestId: 'r-1',
      isRefusal: false,
    })
    expect(classify('text')).toEqual({ class: 'server', code: 'Unknown', message: 'text', isRefusal: false })
  })
})

test.each<[string, Parameters<typeof thrown>[0], boolean]>([
  ['refused by the service', { codes: ['NoSuchServer'], status: 404 }, true],
  ['refused at the first attempt', { codes: ['Odd'], status: 400, attempts: 1 }, true],
  ['refused at a later attempt', { codes: ['Odd'], status: 400, attempts: 2 }, false],
  ['throttled, with any status', { codes: ['SlowDown'], status: 503 }, true],
  ['throttled after other attempts', { codes: ['SlowDown'], status: 503, attempts: 3 }, false],
  ['a server error', { codes: ['Odd'], status: 500 }, false],
  ['no response', { codes: ['NoSuchServer'] }, false],
])('determines whether a call certainly changed nothing: %s', (_, facts, expected) => {
  expect(classify(thrown(facts)).isRefusal).toBe(expected)
})

test('every class determines which objects it concerns', () => {
  const expected: Record<FailureClass, Concern> = {
    'rate-limited': 'all',
    credentials: 'all',
    account: 'all',
    'no-endpoint': 'all',
    server: 'service',
    'not-found': 'some',
    'already-exists': 'some',
    'dry-run-succeeded': 'some',
    unauthorized: 'some',
    other: 'some',
  }
  for (const [kind, concern] of Object.entries(expected)) expect(failureConcern(kind as FailureClass)).toBe(concern)
})

test('reads fields of any thrown value', () => {
  expect([readField({ a: 1 }, 'a'), readField(null, 'a'), readField('text', 'length')]).toEqual([
    1,
    undefined,
    undefined,
  ])
  expect([readTextField({ a: 'x' }, 'a'), readTextField({ a: '' }, 'a'), readTextField({ a: 1 }, 'a')]).toEqual([
    'x',
    undefined,
    undefined,
  ])
})
