import { expect, test } from 'vitest'
import { GcpApiError } from '../api/gcp-api-error.ts'
import { insertRefusal, operationRefusal } from './launch-refusal.ts'

const refused = (status: number | undefined, reason: string) => new GcpApiError({ status, reason, message: 'no' })

test.each([
  ['ZONE_RESOURCE_POOL_EXHAUSTED', 503, 'next', true, 1_800_000],
  ['ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS', 503, 'next', true, 1_800_000],
  ['IP_SPACE_EXHAUSTED', 400, 'stop', true, 30_000],
  ['quotaExceeded', 403, 'next', true, 0],
  ['alreadyExists', 409, 'exists', false, 0],
  ['invalid', 400, 'stop', false, 0],
  ['forbidden', 403, 'stop', false, 0],
  ['rateLimitExceeded', 429, 'stop', false, 0],
  ['backendError', 503, 'stop', false, 0],
  ['NoResponse', undefined, 'stop', false, 0],
])(
  'an insert refused with %s (%s): %s, short %s, unavailable for %s ms',
  (reason, status, nextStep, isShort, unavailableFor) => {
    expect(insertRefusal(refused(status, reason))).toEqual({ nextStep, isShort, unavailableFor })
  },
)

test('an error of Kerf itself stops the launch', () => {
  expect(insertRefusal(new TypeError('no'))).toEqual({ nextStep: 'stop', isShort: false, unavailableFor: 0 })
})

test.each([
  [['ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS'], true, 1_800_000],
  [['OTHER', 'IP_SPACE_EXHAUSTED_WITH_DETAILS'], true, 30_000],
  [['QUOTA_EXCEEDED'], true, 0],
  [['OTHER'], false, 0],
  [[], false, 0],
])(
  'an operation that failed with %j tries the next offering: short %s, unavailable for %s ms',
  (codes, isShort, unavailableFor) => {
    expect(operationRefusal(codes)).toEqual({ nextStep: 'next', isShort, unavailableFor })
  },
)
