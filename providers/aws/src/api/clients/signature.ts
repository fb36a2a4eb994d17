// The SDK's request signer, for services whose client is not in the package registry.
export { SignatureV4 } from '@smithy/signature-v4'
