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
  /** False for a claim without a node: it is in no domain yet. */
  readonly hasNode: boolean
}

/** A node of the snapshot as the decision sees it (`docs/spec/scheduling.md#existing-nodes`). */
export interface ExistingNode extends PlacedNode {
  readonly state: NodeState
  /** The exact capacity that is left after the node's pods and the daemons that still have to start. */
  readonly free: Amounts
  /** Whether more of some resource is used than the node has. If so, no pod fits, even one that does not request that resource. */
  readonly isOverfull: boolean
  readonly ports: readonly HostPort[]
  /** Attached volume claims by CSI driver, and the limit for each driver. */
  readonly volumes: ReadonlyMap<string, ReadonlySet<string>>
  readonly volumeLimits: ReadonlyMap<string, number> | undefined
}
