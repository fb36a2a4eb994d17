import type { StepCause } from '@kerf/provider-kit'
import { GcpApiError } from '../api/gcp-api-error.ts'
import { callFailureKind } from './call-failure-kind.ts'

/**
 * Returns the cause of a failed call and the remedy, for a condition. Returns undefined for throttling, because it ends without user action
 * and leaves the condition unchanged. Also returns undefined for errors that Google Cloud did not return.
 */
export const callCause = (error: unknown): StepCause | undefined => {
  if (!(error instanceof GcpApiError)) return undefined
  const { reason } = error
  const message = sentence(error.message)
  switch (callFailureKind(error)) {
    case 'throttled':
      return undefined
    case 'disabled':
      return {
        reason: 'ApiDisabled',
        message: `Google Cloud refuses the call: ${message} Enable the API with "gcloud services enable compute.googleapis.com container.googleapis.com cloudbilling.googleapis.com"`,
      }
    case 'without-billing':
      return {
        reason: 'BillingDisabled',
        message: `Google Cloud refuses the call: ${message} Link the project to an active billing account with "gcloud billing projects link"`,
      }
    case 'credentials':
      return {
        reason: 'CredentialsRefused',
        message: `Google Cloud does not accept the credentials of Kerf: ${message} Check the workload identity of its service account, or the key file`,
      }
    case 'permission':
      return {
        reason: 'PermissionDenied',
        message: `Google Cloud does not allow the call: ${message} Grant the permission to Kerf's service account`,
      }
    case 'missing':
      return {
        reason: 'ResourceNotFound',
        message: `${message} Check PROJECT_ID, CLUSTER_NAME and CLUSTER_LOCATION`,
      }
    case 'refused':
      return { reason: 'CallRefused', message: `Google Cloud refuses the call (${reason}): ${message}` }
    case 'server':
    case 'unreachable':
      return {
        isBrief: true,
        reason: 'GoogleCloudUnavailable',
        message: `Google Cloud does not respond as it should (${reason}: ${message}); Kerf tries again within a minute`,
      }
  }
}

/** Returns the text with a full stop at its end, so that another sentence can follow. */
const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)
