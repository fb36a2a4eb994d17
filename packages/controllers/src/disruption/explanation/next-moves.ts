import type { Milliseconds, NodePool, UsdPerHour } from '@kerf/apis'
import { type Blocker, type DisruptionReason, isShownElsewhere, shortText } from '@kerf/engine'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { type Command, commandOutline } from '../commands/command.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import { budgetsByReason, methodFor, upfrontBlocker } from './disruption-status.ts'

/** A command that is under way. */
export interface StartedMove {
  readonly method: string
  readonly reason: DisruptionReason
  readonly nodes: readonly string[]
  readonly nodeClaims: readonly string[]
  readonly text: string
  /** Absent if the price of any node is unknown. */
  readonly savings?: UsdPerHour
}

/** A node that Kerf will disrupt later, and what delays the disruption. */
export interface AwaitedMove {
  readonly node: string
  readonly nodeClaim: string
  readonly nodePool: string
  readonly reason: DisruptionReason
  /** Why the node is not disrupted at present. Absent if Kerf only disrupts other nodes first. */
  readonly blocker?: Blocker
  /** Absent if the savings are unknown. Always absent for a drifted node. */
  readonly savings?: UsdPerHour
}

/** The next actions of disruption. */
export interface NextMoves {
  readonly at: Milliseconds
  readonly started: readonly StartedMove[]
  readonly awaited: readonly AwaitedMove[]
}

/** The maximum number of nodes to simulate among the nodes that only a budget blocks. Kerf simulates the most expensive ones. */
const MOST_SIMULATED = 10

/** Returns whether the time at which the blocker expires is known. */
const isTimed = (blocker: Blocker): boolean => 'until' in blocker && blocker.until !== undefined

const startedMove = (command: Command): StartedMove => ({
  method: command.method,
  reason: command.reason,
  nodes: command.candidates.map(({ name }) => name),
  nodeClaims: command.candidates.map(({ claim }) => claim.metadata.name),
  text: shortText(commandOutline(command)),
  ...(command.savings === undefined ? {} : { savings: command.savings }),
})

const awaited = (candidate: Candidate, reason: DisruptionReason, blocker: Blocker | undefined): AwaitedMove => ({
  node: candidate.name,
  nodeClaim: candidate.claim.metadata.name,
  nodePool: candidate.poolName,
  reason,
  ...(blocker === undefined ? {} : { blocker }),
  ...(reason === 'Empty' && candidate.price !== undefined ? { savings: candidate.price } : {}),
})

/**
 * Returns the commands under way and the nodes that come next: drifted nodes, empty nodes, nodes that may be consolidated from a known time
 * on, and nodes with a worthwhile move that only a budget blocks. Omits nodes of NodePools for which `acts` returns false. Uses the checks
 * of the disruption methods and changes nothing.
 */
export const nextMoves = async (
  pass: DisruptionPass,
  state: ClusterState,
  commands: readonly Command[],
  acts: (pool: NodePool) => boolean,
  signal: AbortSignal,
): Promise<NextMoves> => {
  const budgets = budgetsByReason(pass)
  const moves: AwaitedMove[] = []
  const forBudget: { readonly candidate: Candidate; readonly blocker: Blocker }[] = []
  for (const assessment of pass.assessments) {
    const { candidate } = assessment
    const method = candidate === undefined ? undefined : methodFor(candidate)
    if (candidate === undefined || method === undefined || !acts(candidate.pool)) continue
    const blocker = upfrontBlocker(assessment, state, budgets)
    // Queued nodes already appear in the list of commands. Deleted nodes already appear as deleted claims.
    if (blocker !== undefined && isShownElsewhere(blocker)) continue
    if (method.reason !== 'Underutilized' || (blocker !== undefined && isTimed(blocker)))
      moves.push(awaited(candidate, method.reason, blocker))
    else if (blocker?.code === 'budget.exhausted') forBudget.push({ candidate, blocker })
  }
  const dearest = forBudget.toSorted((a, b) => (b.candidate.price ?? 0) - (a.candidate.price ?? 0))
  for (const { candidate, blocker } of dearest.slice(0, MOST_SIMULATED)) {
    const explanation = methodFor(candidate)?.explanation
    const found = await explanation?.simulate?.(candidate, pass, signal)
    if (found === undefined || 'code' in found) continue
    const move = awaited(candidate, 'Underutilized', blocker)
    moves.push(found.savings === undefined ? move : { ...move, savings: found.savings })
  }
  return { at: pass.now, started: commands.map(startedMove), awaited: moves }
}
