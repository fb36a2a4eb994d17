import type { CheckResult } from '@kerf/provider-kit/terminal'
import { textOfThrown } from '@kerf/runtime'
import { GcpApiError } from '../../api/gcp-api-error.ts'
import { BootstrapSourceError } from '../../bootstrap/bootstrap-source-error.ts'
import { callFailureKind } from '../../failures/call-failure-kind.ts'

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

const remedyFor = (error: GcpApiError, whenMissing: string): string => {
  switch (callFailureKind(error)) {
    case 'disabled':
      return 'gcloud services enable compute.googleapis.com container.googleapis.com cloudbilling.googleapis.com --project PROJECT'
    case 'without-billing':
      return 'gcloud billing projects link PROJECT --billing-account ACCOUNT'
    case 'credentials':
      return 'check the annotation iam.gke.io/gcp-service-account of the service account and its binding roles/iam.workloadIdentityUser, or GOOGLE_APPLICATION_CREDENTIALS; on your own machine, run "gcloud auth application-default login"'
    case 'permission':
      return 'give this identity the role that "kerf gcp roles" prints; a new binding takes some minutes'
    case 'missing':
    case 'refused':
      return whenMissing
    case 'throttled':
      return 'the request limit of the project is exhausted: try again in a minute'
    case 'unreachable':
      return 'check that compute.googleapis.com and container.googleapis.com can be reached from here'
    case 'server':
      return 'try again; if the problem remains, contact the support of Google Cloud with the message'
  }
}

/**
 * Returns the finding for a check that failed. `whenMissing` is the remedy if the requested object does not exist or if Google Cloud refuses
 * its name.
 */
export const refused = (subject: Subject, error: unknown, whenMissing: string): ProjectFinding => {
  if (error instanceof BootstrapSourceError) return failed(subject, error.problem, error.remedy)
  return error instanceof GcpApiError
    ? failed(subject, `${error.reason}: ${textOfThrown(error)}`, remedyFor(error, whenMissing))
    : failed(subject, textOfThrown(error), 'check that the API server can be reached from here, and try again')
}
