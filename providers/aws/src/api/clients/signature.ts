// The signature of the SDK, for a service whose client is not on the registry.
export { SignatureV4 } from '@smithy/signature-v4'
