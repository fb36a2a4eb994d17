import type { KubeObject } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'

/** A cloud in which a volume belongs to one zone. */
export interface Cloud {
  readonly provider: string
  readonly region: string
  readonly nodeClass: KubeObject
  /** The zone in the notation of the cloud's volume driver. */
  readonly written: string
  /** The zone label of nodes in that zone. */
  readonly zone: string
  readonly type: string
  /** The zone of the volume in the simulated cloud of this test, in both notations. If absent, the test launches no nodes. */
  readonly here?: { readonly written: string; readonly zone: string }
  /**
   * Returns the zones in which Kerf launches nodes for the objects that `prepare` creates. Absent if there is no sandbox for this cloud.
   */
  readonly launches?: (prepare: (client: KubeClient) => Promise<unknown>) => Promise<readonly string[]>
}

/**
 * How a volume driver writes zones into a PersistentVolume. Each provider exports the cases of its drivers as `volumeZones` from
 * `./testing/volume-zones`.
 */
export interface VolumeZones {
  readonly cloud: Cloud
  /** The label of the driver. */
  readonly key: string
}
