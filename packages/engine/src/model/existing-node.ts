import type { Taint } from '@kerf/apis'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { NodeState } from '../snapshot.ts'
import type { HostPort } from './host-port.ts'

/** The properties of a node that determine its domains. */
export interface PlacedNode {
  readonly labelValues: ReadonlyMap<string, string>
  readonly requirements: Requirements
  readonly taints: readonly Taint[]
  /** False for a claim that has no Node yet. Such a claim does not belong to any domain. */
  readonly hasNode: boolean
}

/** A node of the snapshot, prepared for the decision (`docs/spec/scheduling.md#existing-nodes`). */
export interface ExistingNode extends PlacedNode {
  readonly state: NodeState
  /** The exact capacity that remains after the node's pods and after daemons that have not started yet. */
  readonly free: Amounts
  /**
   * Whether the node's pods use more of some resource than the node has. If so, no pod fits, even one that does not request that resource.
   */
  readonly isOverfull: boolean
  readonly ports: readonly HostPort[]
  /** The attached volume claims, by CSI driver. */
  readonly volumes: ReadonlyMap<string, ReadonlySet<string>>
  /** The maximum number of attached volume claims, by CSI driver. */
  readonly volumeLimits: ReadonlyMap<string, number> | undefined
}
