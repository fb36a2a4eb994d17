import type { ClusterAPINodeClass } from '@kerf/apis'
import type { Informer } from '@kerf/runtime'
import type { ManagementCluster } from '../management/management-cluster.ts'
import type { Cluster } from '../objects/cluster.ts'
import type { Membership } from './member.ts'
import { membersOf } from './members-of.ts'

type Management = Pick<ManagementCluster, 'deployments' | 'clusters' | 'ownCluster' | 'permissions'>

/**
 * The members of a class as the management cluster is known now; the reader throws NotKnownYetError. Without the permission to list
 * Clusters none counts as paused; that it is missing is a problem of the management cluster.
 */
export const membershipReader =
  (
    management: Management,
    nodeClasses: Informer<ClusterAPINodeClass>,
  ): ((nodeClass: ClusterAPINodeClass) => Membership) =>
  (nodeClass) =>
    membersOf(nodeClass, {
      deployments: management.deployments(),
      clusters: readableClusters(management),
      ownCluster: management.ownCluster,
      nodeClasses: nodeClasses.values(),
    })

const readableClusters = (management: Management): readonly Cluster[] =>
  management.permissions.may('list', 'clusters') === false ? [] : management.clusters()
