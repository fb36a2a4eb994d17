import {
  type ClusterApiObject,
  hasPausedAnnotation,
  type ObjectLocation,
  objectLocation,
  readCommonFields,
} from './common.ts'
import type { ClusterOnWire } from './wire.ts'

/** A workload cluster in the management cluster. */
export interface Cluster extends ClusterApiObject {
  readonly infrastructure: ObjectLocation | undefined
  /** If true, Cluster API neither creates nor deletes Machines of this Cluster. */
  readonly isPaused: boolean
}

/** Parses a Cluster of either version (`providers/cluster-api/docs/spec/cluster-api.md#api-versions`). */
export const readCluster = (object: ClusterOnWire): Cluster => {
  const common = readCommonFields(object)
  return {
    ...common,
    infrastructure: objectLocation(object.spec?.infrastructureRef, common.namespace),
    isPaused: object.spec?.paused === true || hasPausedAnnotation(object),
  }
}
