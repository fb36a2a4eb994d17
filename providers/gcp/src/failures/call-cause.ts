import type { StepCause } from '@kerf/provider-kit'
import { GcpApiError } from '../api/gcp-api-error.ts'

/** Reasons that mean rate limiting. Google's APIs report them with status 403 or 429. */
const THROTTLED: ReadonlySet<string> = new Set([
  ...['rateLimitExceeded', 'userRateLimitExceeded', 'RESOURCE_EXHAUSTED'],
  ...['quotaExceeded', 'dailyLimitExceeded', 'limitExceeded', 'concurrentLimitExceeded'],
])
const DISABLED: ReadonlySet<string> = new Set(['accessNotConfigured', 'SERVICE_DISABLED'])
const WITHOUT_BILLING: ReadonlySet<string> = new Set(['billingNotEnabled', 'BILLING_DISABLED'])

/**
 * Returns the cause of a failed call and the remedy, for a condition. Returns undefined for throttling, because it ends without user action
 * and leaves the condition unchanged. Also returns undefined for errors that Google Cloud did not return.
 */
export const callCause = (error: unknown): StepCause | undefined => {
  if (!(error instanceof GcpApiError)) return undefined
  const { reason, status } = error
  const message = sentence(error.message)
  if (THROTTLED.has(reason) || status === 429) return undefined
  if (DISABLED.has(reason))
    return {
      reason: 'ApiDisabled',
      message: `Google Cloud refuses the call: ${message} Enable the API with "gcloud services enable compute.googleapis.com container.googleapis.com cloudbilling.googleapis.com"`,
    }
  if (WITHOUT_BILLING.has(reason))
    return {
      reason: 'BillingDisabled',
      message: `Google Cloud refuses the call: ${message} Link the project to an active billing account with "gcloud billing projects link"`,
    }
  switch (status) {
    case 401:
      return {
        reason: 'CredentialsRefused',
        message: `Google Cloud does not accept the credentials of Kerf: ${message} Check the workload identity of its service account, or the key file`,
      }
    case 403:
      return {
        reason: 'PermissionDenied',
        message: `Google Cloud does not allow the call: ${message} Grant the permission to Kerf's service account`,
      }
    case 404:
      return {
        reason: 'ResourceNotFound',
        message: `${message} Check PROJECT_ID, CLUSTER_NAME and CLUSTER_LOCATION`,
      }
    default:
      // A status below 500 means that Kerf's request is wrong. A retry does not help.
      return status !== undefined && status < 500
        ? { reason: 'CallRefused', message: `Google Cloud refuses the call (${reason}): ${message}` }
        : {
            isBrief: true,
            reason: 'GoogleCloudUnavailable',
            message: `Google Cloud does not respond as it should (${reason}: ${message}); Kerf tries again within a minute`,
          }
  }
}

/** Returns the text with a full stop at its end, so that another sentence can follow. */
const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)
