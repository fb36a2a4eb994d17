export { OciProvider } from './oci-provider.ts'
