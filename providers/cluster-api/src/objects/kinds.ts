import type { ResourceKind } from '@kerf/apis'
import { CLUSTER_API_GROUP } from '../names.ts'
import type { ClusterApiVersion } from './api-version.ts'
import type { ClusterOnWire, MachineDeploymentOnWire, MachineOnWire, MachineSetOnWire } from './wire.ts'

/** Cluster API's kinds with their API paths. */
export interface ClusterApiKinds {
  readonly Machine: ResourceKind<MachineOnWire>
  readonly MachineSet: ResourceKind<MachineSetOnWire>
  readonly MachineDeployment: ResourceKind<MachineDeploymentOnWire>
  readonly Cluster: ResourceKind<ClusterOnWire>
}

/** Returns the kinds in the version that `parseClusterApiVersion` found. */
export const clusterApiKinds = (version: ClusterApiVersion): ClusterApiKinds => {
  const define = (kind: string, plural: string) =>
    ({ group: CLUSTER_API_GROUP, version, kind, plural, namespaced: true }) as const
  return {
    Machine: define('Machine', 'machines'),
    MachineSet: define('MachineSet', 'machinesets'),
    MachineDeployment: define('MachineDeployment', 'machinedeployments'),
    Cluster: define('Cluster', 'clusters'),
  }
}
