export { IdentityClient } from 'oci-identity/lib/client.js'
