import { HttpError, NoResponseError, type StepCause } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { bizflyErrors } from './bizfly-errors.ts'

/** The kinds of refused calls (`providers/bizfly/docs/spec/bizfly.md#errors`). */
export type FailureKind =
  /** The flavor is not available, or the project has reached a quota. */
  | 'capacity'
  /** Bizfly Cloud does not accept the credentials. */
  | 'credentials'
  /** The service is missing from the catalogue in this region, or its host name has no address. */
  | 'region'
  /** The credentials do not allow the call. */
  | 'permission'
  | 'not-found'
  | 'throttled'
  /** The request contains another invalid value. */
  | 'request'
  /** There was no response, or the server failed. */
  | 'server'

/**
 * Patterns of messages that mean a lack of capacity. Bizfly Cloud documents no such messages, so the patterns come from OpenStack and other
 * clouds.
 */
const CAPACITY = /quota|out of stock|not enough|insufficient|no valid host/i

/** The error codes of Node.js for a host name without an address. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN'])

const kindOfStatus = ({ status, answer }: HttpError): FailureKind => {
  if (status === 401) return 'credentials'
  if (status === 404) return 'not-found'
  if (status === 429) return 'throttled'
  if (status < 500 && CAPACITY.test(answer.text)) return 'capacity'
  if (status === 403) return 'permission'
  return status < 500 ? 'request' : 'server'
}

/** Returns the failure kind of a thrown error, or of the first error in its cause chain that has a known kind. */
export const failureKind = (error: unknown): FailureKind => {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (bizflyErrors.BizflySignInRefused.is(each)) return 'credentials'
    if (bizflyErrors.NoBizflyService.is(each)) return 'region'
    if (each instanceof HttpError) return kindOfStatus(each)
    if (each instanceof NoResponseError) return NO_ADDRESS.has(each.fault.code) ? 'region' : 'server'
  }
  return 'server'
}

/** Returns true only if the error proves that the server does not exist. */
export const isGone = (error: unknown): boolean => error instanceof HttpError && error.status === 404

/** Returns the cause and the remedy of a failure. `problem` is the message of the API or of the connection. */
const causeOfKind = (kind: Exclude<FailureKind, 'throttled'>, problem: string): StepCause => {
  switch (kind) {
    case 'credentials':
      return {
        reason: 'CredentialsRefused',
        message: `Bizfly Cloud does not accept the credentials of the controller (${problem}); correct BIZFLY_CLOUD_EMAIL and BIZFLY_CLOUD_PASSWORD, or BIZFLY_CLOUD_APP_CRED_ID and BIZFLY_CLOUD_APP_CRED_SECRET`,
      }
    case 'region':
      return {
        reason: 'RegionNotFound',
        message: `Bizfly Cloud has no service in the region, or its host has no address (${problem}); check BIZFLY_CLOUD_REGION and BIZFLY_CLOUD_API_URL`,
      }
    case 'permission':
      return {
        reason: 'PermissionDenied',
        message: `Bizfly Cloud forbids the call (${problem}); give the account of the controller the rights on Cloud Server and Kubernetes Engine in the project`,
      }
    case 'request':
    case 'not-found':
      return {
        reason: 'RequestRefused',
        message: `Bizfly Cloud refuses a field of the node class (${problem}); correct the field that the message names`,
      }
    case 'capacity':
    case 'server':
      return {
        isBrief: true,
        reason: 'BizflyCloudUnavailable',
        message: `Bizfly Cloud does not answer (${problem}); Kerf asks again within a minute`,
      }
  }
}

/**
 * Returns the cause and the remedy of a failed call for a condition. Returns undefined for throttling, because it ends without user action.
 */
export const toStepCause = (error: unknown): StepCause | undefined => {
  const kind = failureKind(error)
  return kind === 'throttled' ? undefined : causeOfKind(kind, textOfThrown(error))
}
