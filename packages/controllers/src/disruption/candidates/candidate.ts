import type { Node, NodeClaim, NodePool, Pod, UsdPerHour } from '@kerf/apis'
import type { InstanceType, ReplacedNode } from '@kerf/engine'
import type { StateNode } from '../../state/state-node.ts'

/** A node that may be disrupted, in the state that the assessment saw (`docs/spec/disruption.md#candidates`). */
export interface Candidate extends ReplacedNode {
  readonly state: StateNode
  readonly providerID: string
  readonly name: string
  readonly node: Node
  readonly claim: NodeClaim
  readonly pool: NodePool
  readonly poolName: string
  readonly labels: Readonly<Record<string, string>>
  /** The instance type of the node. Undefined if the pool does not offer it. */
  readonly type: InstanceType | undefined
  /** The price of the node. 0 if the pool does not offer its instance type, undefined if the price is unknown. */
  readonly price: UsdPerHour | undefined
  /** Pods that need another node when this node is deleted. */
  readonly reschedulable: readonly Pod[]
  /** Whether the node's NodePool is asleep. */
  readonly isAsleep?: boolean
  /** The disruption cost: 1 for the node itself, plus the cost of each pod that must move. */
  readonly disruption: number
}

export const isEmpty = ({ disruption }: Pick<Candidate, 'disruption'>): boolean => disruption <= 1

/**
 * Sorts by savings per disruption cost, highest first. Nodes with an unknown price come last. Ties are sorted by name, so that the order is
 * stable.
 */
export const bySavingsRatio = (a: Candidate, b: Candidate): number =>
  (b.price ?? 0) / b.disruption - (a.price ?? 0) / a.disruption || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** Returns a consolidation policy or a reason in the form of a metric label, for example `when_empty_or_underutilized`. */
export const snakeCase = (text: string): string => text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()

export const poolConsolidationPolicy = (pool: NodePool): 'WhenEmpty' | 'WhenEmptyOrUnderutilized' | 'Balanced' =>
  pool.spec.disruption?.consolidationPolicy ?? 'WhenEmptyOrUnderutilized'

/**
 * Returns whether a search for the target (`target/`), the set of nodes that consolidation would delete, may include the node. Nodes of
 * pools with the Balanced policy are excluded, because each of their moves is scored separately.
 */
export const isFree = ({ pool }: Pick<Candidate, 'pool'>): boolean => poolConsolidationPolicy(pool) !== 'Balanced'
