import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { may, mirrors, type Permission } from '@kerf/runtime'
import { clusterApiNodeClassKind } from './node-class/cluster-api-node-class.ts'
import { clusterApiKinds } from './objects/kinds.ts'

/** A check of the caller's own permissions. The role `system:basic-user` allows it for every user. */
export interface SelfSubjectAccessReview extends KubeObject {
  readonly spec: object
  readonly status?: { readonly allowed?: boolean }
}

export const selfAccessReviews: ResourceKind<SelfSubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
}

// Roles refer to groups and resources, but not to versions.
const { Machine, MachineSet, MachineDeployment, Cluster } = clusterApiKinds('v1beta2')

/** The permissions that the provider needs in the management cluster (`providers/cluster-api/docs/spec/cluster-api.md#permissions`). */
export const managementPermissions: readonly Permission[] = [
  mirrors(MachineDeployment, 'reading MachineDeployments'),
  may(['get', 'patch'], MachineDeployment, 'scaling a MachineDeployment'),
  mirrors(Machine, 'reading Machines'),
  may(['get', 'patch'], Machine, 'binding a Machine to a NodeClaim and marking it for deletion'),
  may(['delete'], Machine, 'deleting the Machine that belongs to a NodeClaim'),
  mirrors(MachineSet, 'determining which Machine a scale-down removes'),
  mirrors(Cluster, 'checking whether a Cluster is paused'),
  may(['create'], selfAccessReviews, 'checking the permissions of Kerf in the management cluster'),
]

/** The permissions that the provider needs in the cluster that Kerf manages. */
export const clusterApiPermissions: readonly Permission[] = [
  mirrors(karpenterKinds.NodeClaim, 'reading which NodeClaim has which Machine'),
  may(['get', 'patch'], karpenterKinds.NodeClaim, 'writing the Machine of a NodeClaim'),
  mirrors(clusterApiNodeClassKind, 'reading which MachineDeployments are used'),
  may(['get'], clusterApiNodeClassKind, 'reading the class to launch with'),
  may(['patch'], clusterApiNodeClassKind, 'reporting what a class selects', { subresource: 'status' }),
  mirrors(karpenterKinds.NodeOverlay, 'reading overlaid prices', { when: 'NodeOverlay' }),
  mirrors(karpenterKinds.NodePool, 'reading for which NodePools prices are overlaid'),
  mirrors(kinds.Node, 'finding the Cluster object of this cluster'),
]
