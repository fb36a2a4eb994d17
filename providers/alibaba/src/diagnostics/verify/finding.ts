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

/** Codes with which the API refuses the keys themselves. */
const KEYS =
  /^(?:InvalidAccessKeyId|InvalidSecurityToken|SignatureDoesNotMatch|IncompleteSignature|MissingSecurityToken)/

/** Returns true if the API refuses the keys, so that every other call would fail too. */
export const isKeyRefusal = (error: unknown): boolean => error instanceof AlibabaApiError && KEYS.test(error.code)

const remedyFor = (error: AlibabaApiError, whenMissing: string): string => {
  if (isKeyRefusal(error))
    return 'check the role of the service account (RRSA), or ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET'
  switch (kindOfError(error)) {
    case 'account':
      return error.code.startsWith('Forbidden')
        ? 'attach the policy that "kerf alibaba roles" prints to this identity'
        : 'check the balance and the status of the account'
    case 'configuration':
    case 'not-found':
      return whenMissing
    case 'throttled':
      return 'the request limit of the account is exhausted: try again in a minute'
    case 'no-stock':
    case 'type-unfit':
    case 'quota':
    case 'addresses':
    case 'server':
    case 'other':
      return error.status === 404
        ? whenMissing
        : 'try again; if the problem remains, contact the support of Alibaba Cloud with the message'
  }
}

/** Returns the finding for a check whose call failed. `whenMissing` is the remedy if the object of the call does not exist. */
export const refused = (subject: Subject, error: unknown, whenMissing: string): AccountFinding =>
  error instanceof AlibabaApiError
    ? failed(subject, textOfThrown(error), remedyFor(error, whenMissing))
    : failed(
        subject,
        textOfThrown(error),
        'check REGION_ID, ALIBABA_CLOUD_NETWORK and that the endpoints of Alibaba Cloud can be reached from here',
      )
