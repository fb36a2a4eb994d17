import type { CheckResult } from '@kerf/provider-kit/terminal'
import { textOfThrown } from '@kerf/runtime'
import { type FailureKind, failureKind } from '../../failures/failure-kind.ts'

/** The result of one check of a tenancy. */
export type TenancyFinding = CheckResult & { readonly object: string }

export type Subject = Pick<TenancyFinding, 'check' | 'object'>

export const passed = (subject: Subject, seen: string): TenancyFinding => ({ ...subject, outcome: 'passed', seen })
export const failed = (subject: Subject, seen: string, remedy: string): TenancyFinding => ({
  ...subject,
  ...{ outcome: 'failed', seen, remedy },
})
export const warned = (subject: Subject, seen: string, remedy: string): TenancyFinding => ({
  ...subject,
  ...{ outcome: 'warning', seen, remedy },
})
export const skipped = (subject: Subject, seen: string): TenancyFinding => ({ ...subject, outcome: 'skipped', seen })

const remedy = (kind: FailureKind, whenMissing: string): string => {
  switch (kind) {
    case 'credentials':
      return 'check OCI_AUTH_METHOD or OCI_AUTH_METHODS, and the key, the session or the identity behind it'
    case 'region':
      return 'correct OCI_REGION, and check that the services of the region can be reached from here'
    case 'not-found':
      return `${whenMissing}, or create the policy that "kerf oci roles" prints`
    case 'request':
      return whenMissing
    case 'throttled':
      return 'the tenancy makes too many requests: try again in a minute'
    case 'capacity':
    case 'limit':
    case 'addresses':
    case 'repeated-token':
    case 'conflict':
    case 'server':
      return 'check that the services of the region can be reached from here, and try again'
  }
}

/** Returns the finding for a check whose call failed. `whenMissing` is the remedy if the requested object does not exist. */
export const refused = (subject: Subject, error: unknown, whenMissing: string): TenancyFinding =>
  failed(subject, textOfThrown(error), remedy(failureKind(error), whenMissing))

/** Runs a check whose calls may fail. */
export const attempt = async (
  subject: Subject,
  whenMissing: string,
  signal: AbortSignal,
  run: () => Promise<TenancyFinding>,
): Promise<TenancyFinding> => {
  try {
    return await run()
  } catch (error) {
    signal.throwIfAborted()
    return refused(subject, error, whenMissing)
  }
}
