import { CreateError } from '@kerf/provider-contract'
import type { CheckResult } from '@kerf/provider-kit/terminal'
import { textOfThrown } from '@kerf/runtime'
import { GcpApiError } from '../../api/gcp-api-error.ts'

/** The result of one check of a project. */
export type ProjectFinding = CheckResult & { readonly object: string }

export type Subject = Pick<ProjectFinding, 'check' | 'object'>

export const passed = (subject: Subject, seen: string): ProjectFinding => ({ ...subject, outcome: 'passed', seen })
export const failed = (subject: Subject, seen: string, remedy: string): ProjectFinding => ({
  ...subject,
  ...{ outcome: 'failed', seen, remedy },
})
export const warned = (subject: Subject, seen: string, remedy: string): ProjectFinding => ({
  ...subject,
  ...{ outcome: 'warning', seen, remedy },
})
export const skipped = (subject: Subject, seen: string): ProjectFinding => ({ ...subject, outcome: 'skipped', seen })

/** Returns true if Google Cloud does not accept the credentials, so that every other call would fail too. */
export const isCredentialRefusal = (error: unknown): boolean => error instanceof GcpApiError && error.status === 401

const DISABLED = /^(?:accessNotConfigured|SERVICE_DISABLED)$|has not been used in project/

const remedyFor = ({ status, reason, message }: GcpApiError, whenMissing: string): string => {
  if (DISABLED.test(reason) || DISABLED.test(message))
    return 'gcloud services enable compute.googleapis.com container.googleapis.com cloudbilling.googleapis.com --project PROJECT'
  switch (status) {
    case 401:
      return 'check the annotation iam.gke.io/gcp-service-account of the service account and its binding roles/iam.workloadIdentityUser, or GOOGLE_APPLICATION_CREDENTIALS; on your own machine, run "gcloud auth application-default login"'
    case 403:
      return 'give this identity the role that "kerf gcp roles" prints; a new binding takes some minutes'
    case 404:
      return whenMissing
    case 429:
      return 'the request limit of the project is exhausted: try again in a minute'
    case undefined:
      return 'check that compute.googleapis.com and container.googleapis.com can be reached from here'
    default:
      return 'try again; if the problem remains, contact the support of Google Cloud with the message'
  }
}

/**
 * Returns the finding for a check that failed. `whenMissing` is the remedy if the requested object does not exist. The message of a
 * CreateError already explains the problem.
 */
export const refused = (subject: Subject, error: unknown, whenMissing: string): ProjectFinding => {
  if (error instanceof CreateError) return failed(subject, error.conditionMessage, whenMissing)
  return error instanceof GcpApiError
    ? failed(subject, `${error.reason}: ${textOfThrown(error)}`, remedyFor(error, whenMissing))
    : failed(subject, textOfThrown(error), whenMissing)
}
