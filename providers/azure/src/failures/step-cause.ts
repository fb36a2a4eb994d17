import { readField, type StepCause } from '@kerf/provider-kit'
import { NO_GROUP } from '../api/azure-api-error.ts'
import { classifyAzureFailure } from './azure-failure.ts'

/** The SDK's code for a request without an answer. */
const NO_ANSWER = 'REQUEST_SEND_ERROR'

const SUBNET_IS_FULL = 'SubnetIsFull'

/**
 * Returns the condition's cause for an error of the Azure service. Such an error is usually temporary, so Kerf reports it only if no
 * earlier result for the node class is known.
 */
const faultOfService = (code: string, message: string): StepCause => ({
  isBrief: true,
  reason: 'AzureUnavailable',
  message: `Azure returned an unexpected response (${code}: ${message}); Kerf retries within a minute. If the problem remains, check the status of Azure and the firewall of the cluster`,
})

/**
 * Returns the cause and remedy that a condition reports for a failed call. Returns undefined for throttling, which is temporary and leaves
 * the condition unchanged.
 */
export const toStepCause = (error: unknown): StepCause | undefined => {
  const { class: kind, code, message } = classifyAzureFailure(error)
  if (code === NO_GROUP)
    return {
      reason: 'ResourceGroupNotFound',
      message: `${message} Check AZURE_NODE_RESOURCE_GROUP and AZURE_SUBSCRIPTION_ID: "az aks show --query nodeResourceGroup" prints the group of the nodes`,
    }
  if (code === SUBNET_IS_FULL)
    return {
      reason: 'SubnetIsFull',
      message: `${message} Free addresses of the subnet, enlarge it, or set another one in VNET_SUBNET_ID or spec.vnetSubnetID of the AKSNodeClass`,
    }
  switch (kind) {
    case 'unauthorized':
      return {
        reason: 'Unauthorized',
        message: `Azure does not allow the request (${code}: ${message}); assign the missing role to the controller identity`,
      }
    case 'credentials':
      return {
        reason: 'CredentialsRefused',
        message: `Azure does not accept the credentials of the controller (${code}: ${message}); check the federated credential of its service account, AZURE_TENANT_ID and AZURE_CLIENT_ID`,
      }
    case 'account':
      return {
        reason: 'SubscriptionRefused',
        message: `Azure does not allow the request for the subscription (${code}: ${message}); check AZURE_SUBSCRIPTION_ID, and register the resource provider that the message names`,
      }
    case 'no-endpoint':
      return {
        isBrief: true,
        reason: 'EndpointNotFound',
        message: `Azure cannot be found (${message}); check ARM_CLOUD, and that the names of Azure can be resolved from the cluster`,
      }
    case 'server':
      return faultOfService(code, message)
    case 'not-found':
    case 'already-exists':
    case 'dry-run-succeeded':
    case 'rate-limited':
      return undefined
    case 'other': {
      const status = readField(error, 'status')
      const isOfService = code === NO_ANSWER || (typeof status === 'number' && status >= 500)
      return isOfService ? faultOfService(code, message) : undefined
    }
  }
}
