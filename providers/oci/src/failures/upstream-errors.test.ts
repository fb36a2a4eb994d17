import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isOciNotFound, OciApiError } from '../api/oci-api-error.ts'
import { isShortage } from '../launch/launch-failures.ts'
import { failureKind } from './failure-kind.ts'

/**
 * How both public providers handle error responses. The columns are the status, the code, the message, and the verdicts of
 * zoom/karpenter-oci ff0a12c and oracle/karpenter-provider-oci b26d656.
 */
const recorded = readFileSync(new URL('upstream-errors.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [status = '', code = '', message = '', community = '', oracle = ''] = line.split('\t')
    const answer = { status: Number(status), headers: {}, text: JSON.stringify({ code, message }) }
    const error = new OciApiError('LaunchInstance', { status: answer.status, answer })
    return { named: `${status} ${code}: ${message}`, community, oracle, error }
  })

type Recorded = (typeof recorded)[number]
const shortages = recorded.filter(({ error }) => isShortage(failureKind(error)))
const isCapacity = ({ community, oracle }: Recorded): boolean =>
  community === 'insufficient-capacity' || oracle === 'insufficient-capacity'

test('28 responses were recorded', () => {
  expect(recorded).toHaveLength(28)
})

test('if either public provider sees a lack of capacity, Kerf sees a shortage', () => {
  expect(recorded.filter(isCapacity).filter((each) => !shortages.includes(each))).toEqual([])
})

test('Kerf also treats these responses as a shortage, after which another offering may work', () => {
  expect(shortages.filter((each) => !isCapacity(each)).map(({ named }) => named)).toEqual([
    '500 InternalError: out of host capacity',
    '500 InternalError: Out of capacity for shape VM.Standard.E4.Flex',
    '409 LimitExceeded: The following service limits were exceeded: standard-core-count.',
    '400 QuotaExceeded: The following compartment quotas were exceeded: standard-core-count.',
    '400 LimitExceeded: The limit of instances is used up.',
    '400 LimitExceeded: The subnet has no available IP addresses.',
  ])
})

test('all three treat a missing object in the same way', () => {
  const missing = recorded.filter(({ error }) => isOciNotFound(error))
  expect(missing).toEqual(recorded.filter(({ oracle }) => oracle === 'not-found'))
  expect(missing).toHaveLength(2)
})

test('Kerf distinguishes the other causes', () => {
  const others = recorded.filter((each) => !shortages.includes(each))
  expect(others.map(({ error, named }) => `${named.split(':')[0]}: ${failureKind(error)}`)).toEqual([
    '400 InvalidParameter: request',
    '400 MissingParameter: request',
    '400 CannotParseRequest: request',
    '401 NotAuthenticated: credentials',
    '403 NotAuthorized: not-found',
    '404 NotAuthorizedOrNotFound: not-found',
    '404 NotFound: not-found',
    '409 IncorrectState: conflict',
    '409 ExternalServerIncorrectState: conflict',
    '409 Conflict: conflict',
    '409 InvalidatedRetryToken: repeated-token',
    '412 NoEtagMatch: request',
    '413 RequestEntityTooLarge: request',
    '429 TooManyRequests: throttled',
    '500 InternalServerError: server',
    '502 BadGateway: server',
    '503 ServiceUnavailable: server',
    '504 GatewayTimeout: server',
  ])
})
