export {
  AzureCliCredential,
  ChainedTokenCredential,
  ManagedIdentityCredential,
  WorkloadIdentityCredential,
} from '@azure/identity'
