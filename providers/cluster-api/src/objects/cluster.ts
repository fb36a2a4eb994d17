import { type ClusterApiObject, commonOf, hasPausedAnnotation, locationOf, type ObjectLocation } from './common.ts'
import type { ClusterOnWire } from './wire.ts'

/** A workload cluster, as the management cluster knows it. */
export interface Cluster extends ClusterApiObject {
  readonly infrastructure: ObjectLocation | undefined
  /** Cluster API then leaves all its Machines alone: nothing is made and nothing deleted. */
  readonly isPaused: boolean
}

/** Reads a Cluster of either version (`docs/spec/cluster-api.md#api-versions`). */
export const clusterOf = (object: ClusterOnWire): Cluster => {
  const common = commonOf(object)
  return {
    ...common,
    infrastructure: locationOf(object.spec?.infrastructureRef, common.namespace),
    isPaused: object.spec?.paused === true || hasPausedAnnotation(object),
  }
}
