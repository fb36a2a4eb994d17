import { textOfThrown } from '@kerf/runtime'
import { AzureApiError } from '../api/azure-api-error.ts'
import { classifyAzureFailure } from '../failures/azure-failure.ts'

/** The result of one check of a subscription. */
export interface SubscriptionFinding {
  /** The condition that the command checked. */
  readonly check: string
  /** The resource or object that the command checked. */
  readonly object: string
  /** `warning`: Kerf works, but not completely. `skipped`: the command could not check it. */
  readonly outcome: 'passed' | 'warning' | 'failed' | 'skipped'
  readonly seen: string
  /** The recommended action. Absent if none is necessary. */
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

const errorRemedy = (error: AzureApiError, whenMissing: string): string => {
  switch (classifyAzureFailure(error).class) {
    case 'not-found':
      return whenMissing
    case 'unauthorized':
      return 'assign the roles that "kerf azure roles" prints to this identity; a new assignment takes up to ten minutes'
    case 'credentials':
      return 'check the federated credential of the service account, AZURE_TENANT_ID and AZURE_CLIENT_ID; on your own machine, run "az login"'
    case 'account':
      return 'correct the subscription, or register the resource provider that the message names: "az provider register"'
    case 'no-endpoint':
      return 'check ARM_CLOUD or AZURE_ENVIRONMENT_FILEPATH, and that the names of Azure can be resolved from here'
    case 'rate-limited':
      return 'the request limit of this subscription is exhausted: try again in a minute'
    case 'already-exists':
    case 'dry-run-succeeded':
    case 'server':
    case 'other':
      return 'try again; if the problem remains, contact Azure support with the message'
  }
}

/**
 * Returns the finding for a check whose request Azure refused. Rethrows errors that do not come from Azure. `whenMissing` is the remedy if
 * the resource does not exist.
 */
export const refused = (subject: Subject, error: unknown, whenMissing: string): SubscriptionFinding => {
  if (!(error instanceof AzureApiError)) throw error
  return failed(subject, `${error.code}: ${textOfThrown(error)}`, errorRemedy(error, whenMissing))
}
