// A service without a client on the registry: the signature is the SDK's own.
export { SignatureV4 } from '@smithy/signature-v4'
