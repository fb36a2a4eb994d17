import type { MoveVerdict } from '@kerf/engine'
import { bySavingsRatio, type Candidate, isEmpty, isFree } from '../candidates/candidate.ts'
import { typeNamed } from '../candidates/offered-types.ts'
import { type Command, plannedAnew } from '../commands/command.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import { holdsSpread, type Launch } from '../simulation/spread-check.ts'
import type { TargetNodes } from '../target/target-nodes.ts'
import { consolidationBlockers, isDrifted } from './eligibility-checks.ts'
import type { DisruptionMethod, DisruptionStatus, MethodTools, SearchScope } from './method.ts'
import { countMove, isHopeless, judge, moveOrBlocker, scoreBlocker } from './scoring.ts'

/**
 * Consolidates one node: of all whose pods fit elsewhere or on something cheaper the one that saves most for what it
 * disturbs. Looks at every candidate in every pass; upstream takes the first that works, and stops looking after three
 * minutes (`docs/spec/disruption.md#singlenode`).
 */
export const singleNode: DisruptionMethod = {
  name: 'single-node',
  reason: 'Underutilized',
  class: 'graceful',
  consolidationType: 'single',
  validation: 'whole',
  searches: 'after-change',
  eligibility: consolidationBlockers,
  search: async (scope, tools, signal) => {
    const { candidates, pass } = scope
    if (candidates.length > 0 && !pass.canSimulate) return undefined
    const moves = await approvedMoves(scope, tools, signal)
    noteThoseAlone(candidates, pass, tools.targets.alone)
    const chosen = await independentMoves(moves, scope, signal)
    for (const { command, verdict, candidate } of chosen) {
      if (command.replacements.length > 0) tools.events.candidate(command)
      tools.events.approvedForNode(candidate, verdict.pools)
    }
    return chosen.map(({ command }) => command)
  },
  explanation: {
    title: 'consolidation',
    isFor: (candidate) => !isDrifted(candidate) && !isEmpty(candidate),
    found: (candidate, pass) => foundAlone(candidate, pass),
    simulate: async (candidate, pass, signal) =>
      pass.canSimulate
        ? moveOrBlocker(await pass.consolidateSingleNode(candidate, signal), candidate, pass)
        : { code: 'pools.none' },
  },
}

/** Notes which of the candidates the pass found to be consolidatable each by itself. */
export const noteThoseAlone = (
  candidates: readonly Candidate[],
  pass: Pick<DisruptionPass, 'knownSingleNode' | 'now'>,
  alone: TargetNodes,
): void => {
  const found = candidates.filter((candidate) => {
    const known = pass.knownSingleNode(candidate)
    return known !== undefined && !('code' in known.found)
  })
  alone.update(
    found.map(({ name }) => name),
    pass.now,
  )
}

/** How many moves beside the best are asked about: those after them have their turn in a later pass. */
const MOST_OTHERS = 20

interface Move {
  readonly candidate: Candidate
  readonly command: Command
  readonly verdict: MoveVerdict
}

/** Best first. */
const approvedMoves = async (
  { candidates, pass, budgets }: SearchScope,
  { events, metrics }: MethodTools,
  signal: AbortSignal,
): Promise<readonly Move[]> => {
  const moves: Move[] = []
  for (const candidate of interleaved(candidates)) {
    if (budgets.left(candidate.poolName) === 0 || isHopeless(candidate, pass)) continue
    const found = await pass.consolidateSingleNode(candidate, signal)
    const command = 'code' in found ? found : (pass.undoneBefore([candidate]) ?? found)
    if ('code' in command) {
      events.unconsolidatable(candidate.state, command)
      continue
    }
    const move = { candidate, command, verdict: judge(command, pass) }
    countMove(metrics, command, move.verdict)
    if (move.verdict.approved) moves.push(move)
  }
  return moves.sort((a, b) => order(a, b, pass))
}

/**
 * The best move, and others that may begin with it: together they need just the new nodes that each needs by itself, so no two
 * count on the same gap. Moves of Balanced pools, which are scored one by one, begin one by one.
 */
const independentMoves = async (
  moves: readonly Move[],
  { pass, budgets }: SearchScope,
  signal: AbortSignal,
): Promise<readonly Move[]> => {
  const [best, ...others] = moves
  if (best === undefined || !budgets.take(best.candidate.poolName)) return []
  const chosen = [best]
  if (!isFree(best.candidate)) return chosen
  const isKept = pass.worthKeeping.has(best.candidate)
  const mayJoin = ({ candidate }: Move): boolean => isFree(candidate) && pass.worthKeeping.has(candidate) === isKept
  for (const move of others.filter(mayJoin).slice(0, MOST_OTHERS)) {
    if (budgets.left(move.candidate.poolName) === 0) continue
    const together = [...chosen, move]
    const nodes = together.map(({ candidate }) => candidate)
    const simulation = await pass.simulate(nodes, true, signal)
    const replacements = together.flatMap(({ command }) => command.replacements)
    const anew = plannedAnew(replacements, simulation.claims)
    if (simulation.unplaced.length > 0 || anew === undefined) continue
    const launches = Array.from(anew, ([{ nodePool, instanceTypes }, claim]) => {
      return { claim, type: typeNamed(pass.types, nodePool, instanceTypes[0] ?? '') }
    }).filter((launch): launch is Launch => launch.type !== undefined)
    if (launches.length > 0 && !holdsSpread(nodes, simulation, launches)) continue
    budgets.take(move.candidate.poolName)
    chosen.push(move)
  }
  return chosen
}

/** Every pool's best candidate, then every pool's second, and so on, so that no pool waits for the many nodes of another. */
export const interleaved = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const pools = [...Map.groupBy(candidates.toSorted(bySavingsRatio), ({ poolName }) => poolName).values()]
  const order: Candidate[] = []
  for (let place = 0; order.length < candidates.length; place++) {
    for (const members of pools) {
      const member = members[place]
      if (member !== undefined) order.push(member)
    }
  }
  return order
}

/** Nodes worth keeping are disrupted when no other can be; else the one that saves most for what it disturbs. */
const order = (a: Move, b: Move, { worthKeeping }: Pick<DisruptionPass, 'worthKeeping'>): number =>
  Number(worthKeeping.has(a.candidate)) - Number(worthKeeping.has(b.candidate)) || rateOf(b) - rateOf(a)

const rateOf = ({ candidate, command }: Move): number => (command.savings ?? 0) / candidate.disruption

const foundAlone = (candidate: Candidate, pass: DisruptionPass): DisruptionStatus => {
  const known = pass.knownSingleNode(candidate)
  if (known === undefined) {
    return isHopeless(candidate, pass) ? scoreBlocker(candidate, candidate.price ?? 0, pass) : 'unknown'
  }
  const move = moveOrBlocker(known.found, candidate, pass)
  return 'code' in move ? move : 'disruptable'
}
