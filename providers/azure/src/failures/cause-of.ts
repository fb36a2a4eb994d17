import type { StepCause } from '@kerf/provider-kit'
import { azureFailureOf } from './azure-failure.ts'

/**
 * What a failed call says for the condition: its cause and remedy where somebody must act. Throttling and faults of the
 * service pass by themselves, and leave the condition as it is.
 */
export const causeOf = (error: unknown): StepCause | undefined => {
  const { class: kind, code, message } = azureFailureOf(error)
  switch (kind) {
    case 'unauthorized':
      return {
        reason: 'Unauthorized',
        message: `Azure does not allow it (${code}: ${message}); assign the missing role to the identity of the controller`,
      }
    case 'credentials':
      return {
        reason: 'CredentialsRefused',
        message: `Azure does not accept the credentials of the controller (${code}: ${message}); check the federated credential of its service account, AZURE_TENANT_ID and AZURE_CLIENT_ID`,
      }
    case 'account':
      return {
        reason: 'SubscriptionRefused',
        message: `Azure does not let the subscription do it (${code}: ${message}); check AZURE_SUBSCRIPTION_ID, and register the provider that the message names`,
      }
    case 'no-endpoint':
      return {
        isBrief: true,
        reason: 'EndpointNotFound',
        message: `Azure cannot be found (${message}); check ARM_CLOUD, and that the names of Azure can be resolved from the cluster`,
      }
    case 'not-found':
    case 'already-exists':
    case 'dry-run-succeeded':
    case 'rate-limited':
    case 'server':
    case 'other':
      return undefined
  }
}
