import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, inOrder, objectName } from '@kerf/provider-kit/doctor'
import { gcpPools } from './gcp-pools.ts'

/** Matches the node names of Autopilot clusters. */
const AUTOPILOT = /^gk3-/

export const cox020: DoctorCheck = {
  id: 'COX-020',
  group: 'coexistence',
  severity: 'critical',
  title: 'NodePools in a cluster of GKE Autopilot',
  why: 'GKE runs the nodes of an Autopilot cluster itself, and refuses the pods and permissions that Kerf needs. Kerf launches nodes in Standard clusters only.',
  reads: ['NodePool', 'Node'],
  examine(audit) {
    const pools = gcpPools(audit)
    if (pools.length === 0) return inOrder('no NodePool has a GCENodeClass')
    const nodes = audit.nodes.filter(({ metadata }) => AUTOPILOT.test(metadata.name))
    return foundAny(
      nodes.map(objectName),
      { seen: 'they are nodes of Autopilot', remedy: 'use a Standard cluster for the NodePools' },
      'no node is one of Autopilot',
    )
  },
}
