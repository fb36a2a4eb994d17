import type { Milliseconds } from '@kerf/apis'

/** How the simulated cloud behaves. Upstream's behaviour is the default. */
export interface KwokSettings {
  /** `--instance-types-file-path`, `INSTANCE_TYPES_FILE_PATH`: instance types instead of the generated ones. */
  readonly instanceTypesFilePath?: string
  /** From the appearance of a Node to its being Ready. */
  readonly nodeReadyDelay: Milliseconds
  /** From the order to end an instance to its end. At 0 the order is the end: deleting answers "not found" at once. */
  readonly instanceTerminationDelay: Milliseconds
  /** How long an offering that ran out of capacity is not offered again. */
  readonly unavailableOfferingsTtl: Milliseconds
  /**
   * Whether the provider plays the kubelet of its nodes: Ready condition, heartbeats, pods that start and stop. Off when
   * something else does, like the kwok simulator or the sandbox.
   */
  readonly simulateKubelet: boolean
  /** How often the simulated kubelet renews its Lease; 0 for never. */
  readonly heartbeatInterval: Milliseconds
}

export const defaultKwokSettings: KwokSettings = {
  nodeReadyDelay: 0,
  instanceTerminationDelay: 0,
  unavailableOfferingsTtl: 180_000,
  simulateKubelet: true,
  // The node lifecycle controller gives up on a node after 40 to 50 s.
  heartbeatInterval: 15_000,
}
