import { textOfThrown } from '@kerf/runtime'
import { AzureApiError } from '../api/azure-api-error.ts'
import { azureFailureOf } from '../failures/azure-failure.ts'

/** What one check of a subscription found. */
export interface SubscriptionFinding {
  /** What must be so. */
  readonly check: string
  /** The resource or object that was looked at. */
  readonly object: string
  /** `warning`: Kerf works, and something of it will not. `skipped`: it could not be looked at. */
  readonly outcome: 'passed' | 'warning' | 'failed' | 'skipped'
  readonly seen: string
  /** What to do; absent where nothing has to be done. */
  readonly remedy?: string
}

export type Subject = Pick<SubscriptionFinding, 'check' | 'object'>

export const passed = (subject: Subject, seen: string): SubscriptionFinding => ({ ...subject, outcome: 'passed', seen })
export const failed = (subject: Subject, seen: string, remedy: string): SubscriptionFinding => ({
  ...subject,
  ...{ outcome: 'failed', seen, remedy },
})
export const warned = (subject: Subject, seen: string, remedy: string): SubscriptionFinding => ({
  ...subject,
  ...{ outcome: 'warning', seen, remedy },
})
export const skipped = (subject: Subject, seen: string): SubscriptionFinding => ({
  ...subject,
  outcome: 'skipped',
  seen,
})

const remedyOf = (error: AzureApiError, whenMissing: string): string => {
  switch (azureFailureOf(error).class) {
    case 'not-found':
      return whenMissing
    case 'unauthorized':
      return 'assign the roles that "kerf azure roles" prints to this identity; a new assignment takes up to ten minutes'
    case 'credentials':
      return 'check the federated credential of the service account, AZURE_TENANT_ID and AZURE_CLIENT_ID; on a machine of your own, "az login"'
    case 'account':
      return 'correct the subscription, or register the resource provider that the message names: "az provider register"'
    case 'no-endpoint':
      return 'check ARM_CLOUD or AZURE_ENVIRONMENT_FILEPATH, and that the names of Azure can be resolved from here'
    case 'rate-limited':
      return 'others use up the limit of requests of this subscription: try again in a minute'
    case 'already-exists':
    case 'dry-run-succeeded':
    case 'server':
    case 'other':
      return 'try again; if it stays, the message is for the support of Azure'
  }
}

/** A check whose question was refused; other errors than Azure's are thrown on. `whenMissing` is the remedy where the resource is not there. */
export const refused = (subject: Subject, error: unknown, whenMissing: string): SubscriptionFinding => {
  if (!(error instanceof AzureApiError)) throw error
  return failed(subject, `${error.code}: ${textOfThrown(error)}`, remedyOf(error, whenMissing))
}
