import type { StepCause } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { type FailureKind, failureKind } from './failure-kind.ts'

/** Returns the cause and the remedy of a failure. `problem` is the message of the API or of the connection. */
export const causeOfKind = (kind: Exclude<FailureKind, 'throttled'>, problem: string): StepCause => {
  switch (kind) {
    case 'credentials':
      return {
        reason: 'CredentialsRefused',
        message: `Oracle Cloud does not accept the credentials of the controller (${problem}); check the authentication method of the settings, and the key or the workload identity behind it`,
      }
    case 'region':
      return {
        reason: 'RegionNotFound',
        message: `a service of the region has no address (${problem}); check the region of the settings`,
      }
    case 'not-found':
      return {
        reason: 'NotFoundOrForbidden',
        message: `Oracle Cloud does not find an object, or no policy lets the controller see it (${problem}); correct the id, or allow the controller to use it`,
      }
    case 'request':
      return {
        reason: 'RequestRefused',
        message: `Oracle Cloud refuses a field of the node class (${problem}); correct the field that the message names`,
      }
    case 'limit':
      return {
        reason: 'LimitExceeded',
        message: `a service limit or a quota is used up (${problem}); ask Oracle for a higher limit, or allow other shapes`,
      }
    case 'addresses':
      return {
        reason: 'SubnetFull',
        message: `the subnet has no free address (${problem}); free addresses, or select another subnet`,
      }
    case 'capacity':
    case 'repeated-token':
    case 'conflict':
    case 'server':
      return {
        isBrief: true,
        reason: 'OracleCloudUnavailable',
        message: `Oracle Cloud does not answer (${problem}); Kerf asks again within a minute`,
      }
  }
}

/**
 * Returns what a condition says about a failed call: the cause and the remedy. Returns undefined for throttling, which ends without user
 * action.
 */
export const causeOf = (error: unknown): StepCause | undefined => {
  const kind = failureKind(error)
  return kind === 'throttled' ? undefined : causeOfKind(kind, textOfThrown(error))
}
