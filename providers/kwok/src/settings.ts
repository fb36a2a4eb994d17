import type { Milliseconds } from '@kerf/apis'

/** The behaviour of the simulated cloud. The defaults equal upstream's behaviour. */
export interface KwokSettings {
  /** `--instance-types-file-path`, `INSTANCE_TYPES_FILE_PATH`: a file with instance types that replace the generated ones. */
  readonly instanceTypesFilePath?: string
  /** The time from the creation of a Node until it is Ready. */
  readonly nodeReadyDelay: Milliseconds
  /**
   * The time that the termination of an instance takes. With 0, the instance is gone immediately, and the delete call returns
   * not-found.
   */
  readonly instanceTerminationDelay: Milliseconds
  /** How long an offering without capacity stays unavailable. */
  readonly unavailableOfferingsTtl: Milliseconds
  /**
   * Whether the provider simulates the kubelet of its nodes: Ready condition, heartbeats, and pods that start and stop. Disable
   * it if another program does this, such as the kwok simulator or the sandbox.
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
  // The node lifecycle controller marks a node as unreachable after 40 to 50 s.
  heartbeatInterval: 15_000,
}
