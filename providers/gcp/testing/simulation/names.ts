import type { CloudNames } from '../../../../tests/simulation/runs/cloud-draws.ts'

export const gcpNames: CloudNames = {
  nodeClassRef: { group: 'karpenter.k8s.gcp', kind: 'GCENodeClass', name: 'default' },
  zones: ['us-central1-a', 'us-central1-b'],
  types: ['n2-standard-4', 'n2-standard-8'],
}

const PREFIX = 'karpenter-'

/** Returns the NodeClaim in the name of an instance. Does not use the provider's code, which it checks. */
export const claimNameFromInstance = (instance: string): string =>
  instance.startsWith(PREFIX) ? instance.slice(PREFIX.length) : instance

/** Returns the provider ID by which Nodes of GKE name an instance. */
export const makeProviderId = ({ zone, name }: { readonly zone: string; readonly name: string }): string =>
  `gce://demo/${zone}/${name}`
