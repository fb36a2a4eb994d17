export {
  type AuthenticationDetailsProvider,
  ConfigFileAuthenticationDetailsProvider,
  DefaultRequestSigner,
  InstancePrincipalsAuthenticationDetailsProviderBuilder,
  OkeWorkloadIdentityAuthenticationDetailsProvider,
  Region,
  SessionAuthDetailProvider,
  SimpleAuthenticationDetailsProvider,
} from 'oci-common'
