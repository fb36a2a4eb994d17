import type { NodePool } from '@kerf/apis'
import {
  type CommandOutline,
  type Decision,
  type DisruptionReason,
  decisionOf,
  type PlannedClaim,
  type PlannedPlacement,
  type UsdPerHour,
} from '@kerf/engine'
import type { Candidate } from './candidate.ts'

export type MethodName = 'emptiness' | 'static-drift' | 'drift' | 'multi-node' | 'single-node'

/** The label `consolidation_type`; empty for drift. */
export type ConsolidationType = 'empty' | 'multi' | 'single' | ''

/** A node to launch before any candidate goes: as planned for its pods, or as its static pool's template says. */
export type Replacement =
  | { readonly kind: 'planned'; readonly claim: PlannedClaim; readonly pool: NodePool }
  | { readonly kind: 'template'; readonly pool: NodePool }

/** What a method decided: these nodes go, once those are up. */
export interface Command {
  readonly method: MethodName
  readonly reason: DisruptionReason
  readonly type: ConsolidationType
  readonly candidates: readonly Candidate[]
  readonly replacements: readonly Replacement[]
  /** Where pods are expected on nodes that stay. */
  readonly placements: readonly PlannedPlacement[]
  readonly savings: UsdPerHour
}

export const outlineOf = ({ candidates, replacements, savings }: Command): CommandOutline => ({
  nodes: candidates.map(({ name }) => name),
  pools: [...new Set(candidates.map(({ poolName }) => poolName))],
  replacements: replacements.length,
  savings,
})

export const commandDecision = (command: Command): Decision => decisionOf(outlineOf(command))
