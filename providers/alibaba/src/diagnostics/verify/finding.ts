import type { CheckResult } from '@kerf/provider-kit/terminal'
import { textOfThrown } from '@kerf/runtime'
import { AlibabaApiError } from '../../api/alibaba-api-error.ts'
import { kindOfError } from '../../failures/failure-kind.ts'

/** The result of one check of an account. */
export type AccountFinding = CheckResult & { readonly object: string }

export type Subject = Pick<AccountFinding, 'check' | 'object'>

export const passed = (subject: Subject, seen: string): AccountFinding => ({ ...subject, outcome: 'passed', seen })
export const failed = (subject: Subject, seen: string, remedy: string): AccountFinding => ({
  ...subject,
  ...{ outcome: 'failed', seen, remedy },
})
export const warned = (subject: Subject, seen: string, remedy: string): AccountFinding => ({
  ...subject,
  ...{ outcome: 'warning', seen, remedy },
})
export const skipped = (subject: Subject, seen: string): AccountFinding => ({ ...subject, outcome: 'skipped', seen })

/** Returns true if there are no keys or the API refuses them. In both cases, every other call would fail too. */
export const isKeyRefusal = (error: unknown): boolean => kindOfError(error) === 'credentials'

const remedyFor = (error: unknown, whenMissing: string): string => {
  switch (kindOfError(error)) {
    case 'credentials':
      return 'check the role of the service account (RRSA), or ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET'
    case 'region':
      return 'correct REGION_ID and ALIBABA_CLOUD_NETWORK'
    case 'account':
      return error instanceof AlibabaApiError && error.code.startsWith('Forbidden')
        ? 'attach the policy that "kerf alibaba roles" prints to this identity'
        : 'check the balance and the status of the account'
    case 'cluster':
    case 'configuration':
    case 'not-found':
      return whenMissing
    case 'throttled':
      return 'the request limit of the account is exhausted: try again in a minute'
    case 'no-stock':
    case 'type-unfit':
    case 'quota':
    case 'addresses':
    case 'disk':
    case 'server':
    case 'other':
      if (!(error instanceof AlibabaApiError))
        return 'check REGION_ID, ALIBABA_CLOUD_NETWORK and that the endpoints of Alibaba Cloud can be reached from here'
      return error.status === 404
        ? whenMissing
        : 'try again; if the problem remains, contact the support of Alibaba Cloud with the message'
  }
}

/** Returns the finding for a check whose call failed. `whenMissing` is the remedy if the requested object does not exist. */
export const refused = (subject: Subject, error: unknown, whenMissing: string): AccountFinding =>
  failed(subject, textOfThrown(error), remedyFor(error, whenMissing))
