import type { CloudNames } from '../../../../tests/simulation/runs/cloud-draws.ts'

export const gcpNames: CloudNames = {
  nodeClassRef: { group: 'karpenter.k8s.gcp', kind: 'GCENodeClass', name: 'default' },
  zones: ['us-central1-a', 'us-central1-b'],
  types: ['n2-standard-4', 'n2-standard-8'],
}

const PREFIX = 'karpenter-'

/**
 * Returns the name of the NodeClaim that is part of an instance's name. Does not use the provider's code, because the simulation checks
 * that code.
 */
export const claimNameFromInstance = (instance: string): string =>
  instance.startsWith(PREFIX) ? instance.slice(PREFIX.length) : instance

/** Returns the provider ID that a GKE Node has for an instance. */
export const makeProviderId = ({ zone, name }: { readonly zone: string; readonly name: string }): string =>
  `gce://demo/${zone}/${name}`
