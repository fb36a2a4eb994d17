import { controllerOwner } from '@kerf/apis'
import { clusterApiAnnotations } from '../names.ts'
import { type ClusterApiObject, readCommonFields } from './common.ts'
import { parseRevision } from './revision.ts'
import type { MachineSetOnWire } from './wire.ts'

/** The Machines of one revision of a MachineDeployment's template. */
export interface MachineSet extends ClusterApiObject {
  readonly clusterName: string
  /** The MachineDeployment that controls the set. Undefined for a set that a user created. */
  readonly deploymentName: string | undefined
  readonly replicas: number
  /** The revision of the set's template. The newest set of a MachineDeployment has the deployment's revision. */
  readonly revision: number | undefined
}

/** Parses a MachineSet of either version (`providers/cluster-api/docs/spec/cluster-api.md#api-versions`). */
export const readMachineSet = (object: MachineSetOnWire): MachineSet => {
  const common = readCommonFields(object)
  const owner = controllerOwner(object)
  return {
    ...common,
    clusterName: object.spec?.clusterName ?? '',
    deploymentName: owner?.kind === 'MachineDeployment' ? owner.name : undefined,
    // The API server's default.
    replicas: object.spec?.replicas ?? 1,
    revision: parseRevision(common.annotations[clusterApiAnnotations.revision]),
  }
}
