export {
  CircuitBreaker,
  ConfigFileAuthenticationDetailsProvider,
  DefaultRequestSigner,
  InstancePrincipalsAuthenticationDetailsProviderBuilder,
  OkeWorkloadIdentityAuthenticationDetailsProvider,
  SessionAuthDetailProvider,
  SimpleAuthenticationDetailsProvider,
} from 'oci-common'
