import type { GcpApiError } from '../api/gcp-api-error.ts'

/**
 * What a failed call means for the user. `refused`: the request is wrong, so a retry does not help. `unreachable`: there was no response.
 */
export type CallFailureKind =
  | 'throttled'
  | 'disabled'
  | 'without-billing'
  | 'credentials'
  | 'permission'
  | 'missing'
  | 'refused'
  | 'server'
  | 'unreachable'

/** Reasons that mean rate limiting. Google's APIs report them with status 403 or 429. */
const THROTTLED: ReadonlySet<string> = new Set([
  ...['rateLimitExceeded', 'userRateLimitExceeded', 'RESOURCE_EXHAUSTED'],
  ...['quotaExceeded', 'dailyLimitExceeded', 'limitExceeded', 'concurrentLimitExceeded'],
])
const DISABLED: ReadonlySet<string> = new Set(['accessNotConfigured', 'SERVICE_DISABLED'])
/** Some services report a disabled API with a general reason, and this message. */
const DISABLED_MESSAGE = 'has not been used in project'
const WITHOUT_BILLING: ReadonlySet<string> = new Set(['billingNotEnabled', 'BILLING_DISABLED'])

/** Returns the kind of a failed call. The reason decides before the status, because 403 stands for several causes. */
export const callFailureKind = ({ reason, status, message }: GcpApiError): CallFailureKind => {
  if (THROTTLED.has(reason) || status === 429) return 'throttled'
  if (DISABLED.has(reason) || message.includes(DISABLED_MESSAGE)) return 'disabled'
  if (WITHOUT_BILLING.has(reason)) return 'without-billing'
  switch (status) {
    case undefined:
      return 'unreachable'
    case 401:
      return 'credentials'
    case 403:
      return 'permission'
    case 404:
      return 'missing'
    default:
      return status < 500 ? 'refused' : 'server'
  }
}
