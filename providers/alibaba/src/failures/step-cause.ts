import type { StepCause } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { AlibabaApiError } from '../api/alibaba-api-error.ts'
import { type FailureKind, kindOfError } from './failure-kind.ts'

/**
 * Returns the cause and the remedy for every kind of failure except throttling. `problem` is the message of the API or of the connection.
 */
export const causeOfKind = (kind: Exclude<FailureKind, 'throttled'>, problem: string): StepCause => {
  switch (kind) {
    case 'credentials':
      return {
        reason: 'CredentialsRefused',
        message: `Alibaba Cloud does not accept the credentials of the controller (${problem}); check the RAM role of its service account (RRSA), or ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET`,
      }
    case 'region':
      return {
        reason: 'RegionNotFound',
        message: `Alibaba Cloud does not know the region, or its endpoint has no address (${problem}); check REGION_ID and ALIBABA_CLOUD_NETWORK`,
      }
    case 'cluster':
      return {
        reason: 'ClusterNotFound',
        message: `ACK does not know the cluster (${problem}); check CLUSTER_ID and REGION_ID`,
      }
    case 'account':
      return {
        reason: 'AccountRefused',
        message: `Alibaba Cloud refuses the call (${problem}); check the RAM policy of the controller, and the balance of the account`,
      }
    case 'configuration':
    case 'not-found':
      return {
        reason: 'RequestRefused',
        message: `Alibaba Cloud refuses a field of the node class (${problem}); correct the field that the message names`,
      }
    case 'no-stock':
    case 'type-unfit':
    case 'quota':
    case 'addresses':
    case 'disk':
    case 'server':
    case 'other':
      return {
        isBrief: true,
        reason: 'AlibabaCloudUnavailable',
        message: `Alibaba Cloud does not answer (${problem}); Kerf asks again within a minute`,
      }
  }
}

/**
 * Returns the cause and the remedy of a failed call for a condition. Returns undefined for throttling, because it ends without user action.
 */
export const toStepCause = (error: unknown): StepCause | undefined => {
  const kind = kindOfError(error)
  if (kind === 'throttled') return undefined
  const cause = causeOfKind(kind, textOfThrown(error))
  // A DNS lookup may fail for a moment, but a region that the API does not know stays unknown.
  return kind === 'region' && !(error instanceof AlibabaApiError) ? { ...cause, isBrief: true } : cause
}
