import { describe, expect, test } from 'vitest'
import { type Concern, concernOf, type FailureClass, failureClassifier, fieldOf, textFieldOf } from './failure.ts'

/** Returns an error as the client of a cloud throws it, with the error code of the response and the number of attempts. */
const thrown = (
  facts: { readonly codes?: readonly string[]; readonly status?: number; readonly attempts?: number },
  text = 'refused',
) => Object.assign(new Error(text), { facts })

const failureOf = failureClassifier(
  new Map<string, FailureClass>([
    ['NoSuchServer', 'not-found'],
    ['SlowDown', 'rate-limited'],
    ['NoQuota', 'account'],
  ]),
  (error) => ({ codes: [], ...(fieldOf(error, 'facts') as object) }),
)

describe('the class of a failure', () => {
  test.each<[string, unknown, FailureClass, string]>([
    [
      'the first code that is known counts',
      thrown({ codes: ['E404', 'NoSuchServer', 'NoQuota'] }),
      'not-found',
      'NoSuchServer',
    ],
    ['the code counts before the status', thrown({ codes: ['SlowDown'], status: 503 }), 'rate-limited', 'SlowDown'],
    ['an unknown refusal is another', thrown({ codes: ['Odd', 'Odder'], status: 499 }), 'other', 'Odd'],
    ['the caller is to blame from 400 on', thrown({ codes: ['Odd'], status: 400 }), 'other', 'Odd'],
    ['a fault of the service', thrown({ codes: ['Odd'], status: 500 }), 'server', 'Odd'],
    ['an answer that cannot be read', thrown({ codes: ['SyntaxError'], status: 399 }), 'server', 'SyntaxError'],
    ['nobody has answered', thrown({}), 'server', 'Unknown'],
    ['no error at all', 'text', 'server', 'Unknown'],
    ['no address', Object.assign(new Error('x'), { code: 'ENOTFOUND' }), 'no-endpoint', 'ENOTFOUND'],
    ['no address, as fetch says it', new Error('x', { cause: { code: 'ENOTFOUND' } }), 'no-endpoint', 'ENOTFOUND'],
    ['a service said so', Object.assign(thrown({ codes: ['NoQuota'] }), { code: 'ENOTFOUND' }), 'account', 'NoQuota'],
  ])('%s', (_, error, kind, code) => {
    expect(failureOf(error)).toMatchObject({ class: kind, code })
  })

  test('the code and message are kept', () => {
    expect(
      failureOf(Object.assign(thrown({}, 'no such thing'), { facts: { codes: ['NoSuchServer'], requestId: 'r-1' } })),
    ).toEqual({
      class: 'not-found',
      code: 'NoSuchServer',
      message: 'no such thing',
      requestId: 'r-1',
      isRefusal: false,
    })
    expect(failureOf('text')).toEqual({ class: 'server', code: 'Unknown', message: 'text', isRefusal: false })
  })
})

test.each<[string, Parameters<typeof thrown>[0], boolean]>([
  ['refused by the service', { codes: ['NoSuchServer'], status: 404 }, true],
  ['refused at the first attempt', { codes: ['Odd'], status: 400, attempts: 1 }, true],
  ['refused when it was repeated', { codes: ['Odd'], status: 400, attempts: 2 }, false],
  ['throttled, whatever the status', { codes: ['SlowDown'], status: 503 }, true],
  ['throttled after other attempts', { codes: ['SlowDown'], status: 503, attempts: 3 }, false],
  ['a fault of the service', { codes: ['Odd'], status: 500 }, false],
  ['nobody has answered', { codes: ['NoSuchServer'] }, false],
])('says whether a call certainly changed nothing: %s', (_, facts, expected) => {
  expect(failureOf(thrown(facts)).isRefusal).toBe(expected)
})

test('every class says which objects it concerns', () => {
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
  for (const [kind, concern] of Object.entries(expected)) expect(concernOf(kind as FailureClass)).toBe(concern)
})

test('reads fields of any thrown value', () => {
  expect([fieldOf({ a: 1 }, 'a'), fieldOf(null, 'a'), fieldOf('text', 'length')]).toEqual([1, undefined, undefined])
  expect([textFieldOf({ a: 'x' }, 'a'), textFieldOf({ a: '' }, 'a'), textFieldOf({ a: 1 }, 'a')]).toEqual([
    'x',
    undefined,
    undefined,
  ])
})
