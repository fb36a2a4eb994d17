import { labels, type NodePool, type UsdPerHour } from '@kerf/apis'
import {
  type CommandOutline,
  type Decision,
  type DisruptionReason,
  fullText,
  outlineDecision,
  type PlannedClaim,
  type PlannedPlacement,
} from '@kerf/engine'
import type { Candidate } from '../candidates/candidate.ts'

/** The metric label `consolidation_type`. Empty for drift. */
export type ConsolidationType = string

/**
 * A node that Kerf launches before it deletes any candidate. It comes either from a plan for the candidates' pods or from the template of
 * the candidates' static pool.
 */
export type Replacement =
  | { readonly kind: 'planned'; readonly claim: PlannedClaim; readonly pool: NodePool }
  | { readonly kind: 'template'; readonly pool: NodePool }

/**
 * The decision of a disruption method: which nodes to disrupt, and which nodes replace them. Kerf deletes the candidates after the
 * replacements are initialized.
 */
export interface Command {
  /** The name of the method. */
  readonly method: string
  readonly reason: DisruptionReason
  readonly consolidationType: ConsolidationType
  readonly candidates: readonly Candidate[]
  readonly replacements: readonly Replacement[]
  /** For each pod of the candidates, the node on which it should run after the command. */
  readonly placements: readonly PlannedPlacement[]
  /** Undefined if the price of one of the nodes is unknown. */
  readonly savings: UsdPerHour | undefined
}

export const commandOutline = ({ candidates, replacements, savings }: Command): CommandOutline => ({
  nodes: candidates.map(({ name }) => name),
  pools: [...new Set(candidates.map(({ poolName }) => poolName))],
  replacements: replacements.length,
  savings,
})

export const commandDecision = (command: Command): Decision => outlineDecision(commandOutline(command))

/** The maximum number of instance types in a log line about a replacement. */
const NAMED_TYPES = 5

/** Returns the fields of the log lines about a command (`docs/spec/events.md#logs`). */
export const logFields = (command: Command, id: string): Readonly<Record<string, unknown>> => {
  const outline = commandOutline(command)
  return {
    'command-id': id,
    command: fullText(outline, command.reason, id),
    reason: command.reason.toLowerCase(),
    decision: outlineDecision(outline),
    'disrupted-node-count': command.candidates.length,
    'replacement-node-count': command.replacements.length,
    'pod-count': command.candidates.reduce((sum, { reschedulable }) => sum + reschedulable.length, 0),
    'disrupted-nodes': command.candidates.map((candidate) => ({
      Node: { name: candidate.name },
      NodeClaim: { name: candidate.claim.metadata.name },
      'instance-type': candidate.labels[labels.instanceType],
      'capacity-type': candidate.labels[labels.capacityType],
    })),
    'replacement-nodes': command.replacements.map((replacement) =>
      replacement.kind === 'template'
        ? { NodePool: { name: replacement.pool.metadata.name } }
        : {
            'capacity-type': replacement.claim.cheapest.capacityType,
            'instance-types': namedTypes(replacement.claim.instanceTypes),
          },
    ),
  }
}

const namedTypes = (names: readonly string[]): string => {
  const more = names.length - NAMED_TYPES
  return `${names.slice(0, NAMED_TYPES).join(', ')}${more > 0 ? ` and ${more} other(s)` : ''}`
}
