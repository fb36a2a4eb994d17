import { clusterApiAnnotations } from '../names.ts'
import {
  type ClusterApiObject,
  hasPausedAnnotation,
  type ObjectLocation,
  objectLocation,
  presentText,
  readCommonFields,
} from './common.ts'
import { parseRevision } from './revision.ts'
import type { MachineDeploymentOnWire } from './wire.ts'

/** A group of equal Machines, which Kerf scales and offers as an instance type. */
export interface MachineDeployment extends ClusterApiObject {
  readonly clusterName: string
  readonly replicas: number
  /** The labels of the MachineDeployment's Machines at creation. */
  readonly templateLabels: Readonly<Record<string, string>>
  readonly infrastructure: ObjectLocation | undefined
  readonly bootstrap: ObjectLocation | undefined
  readonly kubernetesVersion: string | undefined
  /** `RollingUpdate` or `OnDelete`. Any other value is a strategy of a newer Cluster API. */
  readonly strategy: string
  readonly revision: number | undefined
  /** Whether the MachineDeployment itself is paused, regardless of its Cluster. */
  readonly isPaused: boolean
}

/** Parses a MachineDeployment of either version (`providers/cluster-api/docs/spec/cluster-api.md#api-versions`). */
export const readMachineDeployment = (object: MachineDeploymentOnWire): MachineDeployment => {
  const common = readCommonFields(object)
  const { spec } = object
  const template = spec?.template?.spec
  return {
    ...common,
    clusterName: spec?.clusterName ?? '',
    // The API server's default.
    replicas: spec?.replicas ?? 1,
    templateLabels: spec?.template?.metadata?.labels ?? {},
    infrastructure: objectLocation(template?.infrastructureRef, common.namespace),
    bootstrap: objectLocation(template?.bootstrap?.configRef, common.namespace),
    kubernetesVersion: presentText(template?.version),
    strategy: presentText(spec?.rollout?.strategy?.type ?? spec?.strategy?.type) ?? 'RollingUpdate',
    revision: parseRevision(common.annotations[clusterApiAnnotations.revision]),
    isPaused: spec?.paused === true || hasPausedAnnotation(object),
  }
}
