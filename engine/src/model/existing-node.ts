import type { Taint } from '@kerf/apis'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { NodeState } from '../snapshot.ts'
import type { HostPort } from './host-port.ts'

/** A node as far as the domains it is in matter. */
export interface PlacedNode {
  readonly labelValues: ReadonlyMap<string, string>
  readonly requirements: Requirements
  readonly taints: readonly Taint[]
  /** A claim without a node is in no domain yet. */
  readonly hasNode: boolean
}

/** A node of the snapshot as the decision sees it (`docs/spec/scheduling.md#existing-nodes`). */
export interface ExistingNode extends PlacedNode {
  readonly state: NodeState
  /** Room left after the pods that run there and the daemons that are still to come, exact. */
  readonly free: Amounts
  /** More is used than there is, in whatever resource: no pod fits, even one that asks for nothing of it. */
  readonly isOverfull: boolean
  readonly ports: readonly HostPort[]
  /** Claims attached, by CSI driver, and how many may be. */
  readonly volumes: ReadonlyMap<string, ReadonlySet<string>>
  readonly volumeLimits: ReadonlyMap<string, number> | undefined
}
