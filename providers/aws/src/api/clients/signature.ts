// The signer of the SDK, for a service whose client is not in the package registry.
export { SignatureV4 } from '@smithy/signature-v4'
