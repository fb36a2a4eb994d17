export {
  ConfigFileAuthenticationDetailsProvider,
  DefaultRequestSigner,
  InstancePrincipalsAuthenticationDetailsProviderBuilder,
  OkeWorkloadIdentityAuthenticationDetailsProvider,
  SessionAuthDetailProvider,
  SimpleAuthenticationDetailsProvider,
} from 'oci-common'
