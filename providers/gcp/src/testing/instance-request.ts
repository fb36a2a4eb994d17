import type { InstanceRequest } from '../api/gcp-api.ts'
import { NETWORK, PROJECT, SUBNETWORK } from './fake-gcp/names.ts'

/** The image that the instances of tests boot. */
export const TEST_IMAGE = { project: 'gke-node-images', name: 'gke-1351-cos', arch: 'X86_64', createdAt: 0 } as const

/** Returns the body of an insert that Compute Engine accepts. */
export const instanceRequest = (
  name: string,
  zone: string,
  { type = 'n2-standard-4', ...more }: Partial<InstanceRequest> & { readonly type?: string } = {},
): InstanceRequest => ({
  name,
  machineType: `zones/${zone}/machineTypes/${type}`,
  disks: [
    {
      boot: true,
      autoDelete: true,
      initializeParams: {
        diskType: `projects/${PROJECT}/zones/${zone}/diskTypes/pd-balanced`,
        diskSizeGb: '100',
        sourceImage: `projects/${TEST_IMAGE.project}/global/images/${TEST_IMAGE.name}`,
      },
    },
  ],
  networkInterfaces: [{ network: NETWORK, subnetwork: SUBNETWORK }],
  labels: { 'karpenter-sh-nodepool': 'default' },
  ...more,
})
