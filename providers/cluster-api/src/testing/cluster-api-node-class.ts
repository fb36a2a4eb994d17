import { groupVersion } from '@kerf/apis'
import { type NodeClassOptions, objectMetadata } from '@kerf/testing'
import {
  type ClusterAPINodeClass,
  type ClusterAPINodeClassSpec,
  type ClusterAPINodeClassStatus,
  clusterApiNodeClassKind,
} from '../node-class/cluster-api-node-class.ts'

/** Returns a ClusterAPINodeClass that selects all MachineDeployments with the member label. */
export const clusterApiNodeClass = (
  name: string,
  options: NodeClassOptions<ClusterAPINodeClassSpec, ClusterAPINodeClassStatus> = {},
): ClusterAPINodeClass => ({
  apiVersion: groupVersion(clusterApiNodeClassKind),
  kind: 'ClusterAPINodeClass',
  metadata: objectMetadata(name, { ...options, metadata: { generation: 1, ...options.metadata } }),
  ...(options.spec === undefined ? {} : { spec: options.spec }),
  ...(options.status === undefined ? {} : { status: options.status }),
})
