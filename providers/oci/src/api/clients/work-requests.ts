export { WorkRequestClient } from 'oci-workrequests/lib/client.js'
