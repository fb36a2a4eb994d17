import type { Milliseconds } from '@kerf/apis'

/** The behaviour of the simulated cloud. By default, it behaves like upstream. */
export interface KwokSettings {
  /** `--instance-types-file-path` or `INSTANCE_TYPES_FILE_PATH`: a file with instance types that replace the generated types. */
  readonly instanceTypesFilePath?: string
  /** The time from the creation of a Node until it is Ready. */
  readonly nodeReadyDelay: Milliseconds
  /** The time that an instance takes to terminate. If it is 0, the instance is gone immediately, and the delete call throws not-found. */
  readonly instanceTerminationDelay: Milliseconds
  /** How long an offering remains unavailable after a lack of capacity. */
  readonly unavailableOfferingsTtl: Milliseconds
  /**
   * Whether the provider simulates the kubelets of its nodes: the Ready condition, heartbeats, and pods that start and stop. Disable this
   * if another program simulates them, such as the kwok simulator or the sandbox.
   */
  readonly simulateKubelet: boolean
  /** How often the simulated kubelet renews its Lease. 0 means never. */
  readonly heartbeatInterval: Milliseconds
}

export const defaultKwokSettings: KwokSettings = {
  nodeReadyDelay: 0,
  instanceTerminationDelay: 0,
  unavailableOfferingsTtl: 180_000,
  simulateKubelet: true,
  // Well below the 40 to 50 s without a heartbeat after which the node lifecycle controller marks a node as unreachable.
  heartbeatInterval: 15_000,
}
