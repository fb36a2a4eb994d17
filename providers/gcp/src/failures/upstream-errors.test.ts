import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GcpApiError, isGcpNotFound } from '../api/gcp-api-error.ts'
import { callCause } from './call-cause.ts'
import { insertRefusal, operationShortage } from './launch-refusal.ts'

/**
 * How upstream at 417f047b handled errors. The columns are call, HTTP status, reason and verdict. The calls are an insert, an operation's
 * result, the read of an operation (`poll`), and the two calls of a deletion (`get` and `delete`). `repeated` means that upstream repeated
 * the call.
 */
const recorded = readFileSync(new URL('upstream-errors.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [call = '', status = '', reason = '', verdict = ''] = line.split('\t')
    return { call, reason, verdict, error: new GcpApiError({ status: Number(status), reason, message: 'no' }) }
  })

type Recorded = (typeof recorded)[number]

const named = ({ call, reason, error }: Recorded): string => `${call} ${error.status} ${reason}`
const isQuota = ({ reason }: Recorded): boolean => ['QUOTA_EXCEEDED', 'quotaExceeded'].includes(reason)

test('the same errors of inserts and operations mean a lack of capacity; in Kerf, an exhausted quota does too', () => {
  const launches = recorded.filter(({ call }) => call === 'insert' || call === 'operation')
  const isShortage = ({ call, reason, error }: Recorded): boolean =>
    (call === 'insert' ? insertRefusal(error).shortage : operationShortage([reason])) !== undefined
  expect(launches.filter(isShortage).map(named)).toEqual(
    launches.filter((each) => each.verdict === 'insufficient-capacity' || isQuota(each)).map(named),
  )
  expect(launches.filter((each) => isQuota(each) && each.verdict !== 'error')).toEqual([])
  expect(launches).toHaveLength(42)
})

test('the same errors of a deletion mean that the instance is gone', () => {
  const deletions = recorded.filter(({ call }) => call === 'get' || call === 'delete')
  expect(deletions.filter(({ error }) => isGcpNotFound(error)).map(named)).toEqual(
    deletions.filter(({ verdict }) => verdict === 'not-found').map(named),
  )
  expect(deletions).toHaveLength(34)
})

test('Kerf reports the cause of errors that upstream does not distinguish', () => {
  const reads = recorded.filter(({ call }) => call === 'poll')
  const causes = reads.map(
    (each) => `${each.error.status} ${each.reason}: ${callCause(each.error)?.reason ?? 'throttled'}`,
  )
  expect(causes).toEqual([
    '404 notFound: ResourceNotFound',
    '401 authError: CredentialsRefused',
    '403 forbidden: PermissionDenied',
    '403 accessNotConfigured: ApiDisabled',
    '403 SERVICE_DISABLED: ApiDisabled',
    '403 quotaExceeded: throttled',
    '403 rateLimitExceeded: throttled',
    '403 userRateLimitExceeded: throttled',
    '429 rateLimitExceeded: throttled',
    '429 RESOURCE_EXHAUSTED: throttled',
    '400 invalid: CallRefused',
    '400 resourceNotReady: CallRefused',
    '409 conflict: CallRefused',
    '410 gone: CallRefused',
    '412 conditionNotMet: CallRefused',
    '500 internalError: GoogleCloudUnavailable',
    '503 backendError: GoogleCloudUnavailable',
  ])
  const repeated = reads.filter(({ verdict }) => verdict === 'repeated')
  expect(repeated.map(({ error }) => callCause(error)?.isBrief)).toEqual([true, true])
  const withoutBilling = new GcpApiError({ status: 403, reason: 'BILLING_DISABLED', message: 'no' })
  expect(callCause(withoutBilling)).toMatchObject({ reason: 'BillingDisabled' })
})
