import type { Node, NodeClaim, NodePool, Pod, UsdPerHour } from '@kerf/apis'
import type { InstanceType, ReplacedNode } from '@kerf/engine'
import type { StateNode } from '../../state/state-node.ts'

/** A node that may be disrupted, as it was when it was assessed (`docs/spec/disruption.md#candidates`). */
export interface Candidate extends ReplacedNode {
  readonly state: StateNode
  readonly providerID: string
  readonly name: string
  readonly node: Node
  readonly claim: NodeClaim
  readonly pool: NodePool
  readonly poolName: string
  readonly labels: Readonly<Record<string, string>>
  /** Absent when the pool does not offer it any more. */
  readonly type: InstanceType | undefined
  /** 0 when the pool does not offer it any more, undefined when nobody knows what it costs. */
  readonly price: UsdPerHour | undefined
  /** Pods that will want a place elsewhere. */
  readonly reschedulable: readonly Pod[]
  /** 1 for the node itself, and more for each pod that has to move. */
  readonly disruption: number
}

export const isEmpty = ({ disruption }: Pick<Candidate, 'disruption'>): boolean => disruption <= 1

/** Most saved for least disturbed first, nodes of unknown price last; by name where that is equal, so that the order is the same every time. */
export const bySavingsRatio = (a: Candidate, b: Candidate): number =>
  (b.price ?? 0) / b.disruption - (a.price ?? 0) / a.disruption || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** `when_empty_or_underutilized`: the policy as a metric label. */
export const snakeCase = (text: string): string => text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()

export const policyOf = (pool: NodePool): 'WhenEmpty' | 'WhenEmptyOrUnderutilized' | 'Balanced' =>
  pool.spec.disruption?.consolidationPolicy ?? 'WhenEmptyOrUnderutilized'

/** Whether the node's moves are not scored one by one, as those of Balanced pools are, so that they may belong to a target. */
export const isFree = ({ pool }: Pick<Candidate, 'pool'>): boolean => policyOf(pool) !== 'Balanced'
