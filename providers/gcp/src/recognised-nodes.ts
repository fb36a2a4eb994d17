import { ownValue } from '@kerf/apis'
import type { NodeRecognition } from '@kerf/provider-contract'

const NODE_POOL = 'cloud.google.com/gke-nodepool'
/** Labels that GKE sets to `true` on instances that may be preempted. */
const PREEMPTIBLE = ['cloud.google.com/gke-spot', 'cloud.google.com/gke-preemptible']

/** How Kerf recognises GKE nodes. */
export const recognisedNodes: NodeRecognition = {
  isProviderId: (providerID) => providerID.startsWith('gce://'),
  exampleProviderId: 'gce://demo-project/us-central1-a/node-1',
  capacityTypeOf: (labels) => {
    const own = ownValue(labels, 'karpenter.sh/capacity-type')
    if (own !== undefined) return own
    const provisioning = ownValue(labels, 'cloud.google.com/gke-provisioning')
    const isSpot =
      PREEMPTIBLE.some((label) => ownValue(labels, label) === 'true') ||
      provisioning === 'spot' ||
      provisioning === 'preemptible'
    if (isSpot) return 'spot'
    return ownValue(labels, NODE_POOL) === undefined && provisioning === undefined ? undefined : 'on-demand'
  },
  groupOf: (labels) => ownValue(labels, NODE_POOL),
  // GKE adds this taint about 30 seconds before a spot instance stops.
  spotInterruptionTaints: ['cloud.google.com/impending-node-termination'],
}
