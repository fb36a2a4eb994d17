import type { Informer } from '@kerf/runtime'
import type { ManagementCluster } from '../management/management-cluster.ts'
import type { ClusterAPINodeClass } from '../node-class/cluster-api-node-class.ts'
import type { Cluster } from '../objects/cluster.ts'
import type { Membership } from './member.ts'
import { nodeClassMembers } from './members-of.ts'

type Management = Pick<ManagementCluster, 'deployments' | 'clusters' | 'ownCluster' | 'permissions'>

/**
 * Returns a function that reads a node class's members from the known state of the management cluster, or throws NotKnownYetError. If Kerf
 * is not allowed to list Clusters, no Cluster counts as paused, and the management cluster's problems include the missing permission.
 */
export const membershipReader =
  (
    management: Management,
    nodeClasses: Informer<ClusterAPINodeClass>,
  ): ((nodeClass: ClusterAPINodeClass) => Membership) =>
  (nodeClass) =>
    nodeClassMembers(nodeClass, {
      deployments: management.deployments(),
      clusters: readableClusters(management),
      ownCluster: management.ownCluster,
      nodeClasses: nodeClasses.values(),
    })

const readableClusters = (management: Management): readonly Cluster[] =>
  management.permissions.may('list', 'clusters') === false ? [] : management.clusters()
