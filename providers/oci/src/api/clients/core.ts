export { BlockstorageClient, ComputeClient, VirtualNetworkClient } from 'oci-core/lib/client.js'
