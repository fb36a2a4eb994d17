/** The project, the cluster and the network of the fake. */
export const PROJECT = 'demo'
export const REGION = 'us-central1'
export const CLUSTER = 'demo'
export const CLUSTER_ID = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'
export const NETWORK = `projects/${PROJECT}/global/networks/default`
export const SUBNETWORK = `projects/${PROJECT}/regions/${REGION}/subnetworks/nodes`
export const POD_RANGE = 'pods'
export const COMPUTE_ROOT = 'https://www.googleapis.com/compute/v1'

/** Returns the URL of a resource, in the format of Compute Engine's responses. */
export const selfLink = (path: string): string => `${COMPUTE_ROOT}/${path}`
