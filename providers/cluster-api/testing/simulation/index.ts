import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { clusterApiCloud } from './cluster-api-cloud.ts'
import { drawClusterApiFaults } from './cluster-api-faults.ts'

/** Cluster API in the fault simulation. */
export const simulation: CloudSimulation = {
  name: 'cluster-api',
  names: {
    nodeClassRef: { group: 'karpenter.cluster.x-k8s.io', kind: 'ClusterAPINodeClass', name: 'default' },
    zones: ['zone-a', 'zone-b'],
    types: ['large', 'huge'],
  },
  drawOwn: drawClusterApiFaults,
  create: clusterApiCloud,
}
