import { ownValue } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, inOrder } from '@kerf/provider-kit/doctor'
import { gcpPools } from './gcp-pools.ts'

const POOL = 'cloud.google.com/gke-nodepool'
/** The name prefix of node pools that node auto-provisioning created. */
const PROVISIONED = 'nap-'

export const cox021: DoctorCheck = {
  id: 'COX-021',
  group: 'coexistence',
  severity: 'warning',
  title: 'GKE node auto-provisioning together with Kerf',
  why: 'GKE’s node auto-provisioning creates node pools for pending pods. It and Kerf see the same pods, so both launch nodes for them.',
  reads: ['NodePool', 'Node'],
  examine(audit) {
    if (gcpPools(audit).length === 0) return inOrder('no NodePool has a GCENodeClass')
    const pools = audit.nodes.flatMap(({ metadata }) => ownValue(metadata.labels ?? {}, POOL) ?? [])
    return foundAny(
      [...new Set(pools)].filter((name) => name.startsWith(PROVISIONED)).map((name) => `node pool ${name}`),
      {
        seen: 'node auto-provisioning created them',
        remedy: 'gcloud container clusters update CLUSTER --location LOCATION --no-enable-autoprovisioning',
      },
      'no node is in a node pool of node auto-provisioning',
    )
  },
}
