import { labels } from '@kerf/apis'
import {
  type FoundMove,
  likelyMerges,
  type Mergeable,
  type MergeOffer,
  type MoveVerdict,
  mergeOffers,
  type SearchItem,
  searchMoves,
} from '@kerf/engine'
import type { Candidate } from '../candidates/candidate.ts'
import { worthKeepingLast } from '../candidates/worth-keeping.ts'
import type { Command } from '../commands/command.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import type { SingleNodeResult } from '../passes/pass-findings.ts'
import { planConsolidation } from '../simulation/consolidation.ts'
import { consolidationBlockers } from './eligibility-checks.ts'
import { laterDeletions } from './later-deletions.ts'
import type { DisruptionMethod, SearchScope } from './method.ts'
import { countMove, judge } from './scoring.ts'
import { noteThoseAlone } from './single-node.ts'

/** The maximum number of pods that one search may simulate. Unlike a time limit, this limit gives the same results on every machine. */
const PODS_PER_SEARCH = 250_000
/** A move may launch at most one node (see `simulation/consolidation.ts`). */
const MOST_CLAIMS = 1

/**
 * Consolidates several nodes at once: their pods move to other nodes, or to one cheaper new node (`docs/spec/disruption.md#multinode`).
 * `searchMoves` decides which sets of nodes to try and which one to choose. Upstream tries only prefixes of up to a hundred candidates, for
 * a minute.
 */
export const multiNode: DisruptionMethod = {
  name: 'multi-node',
  reason: 'Underutilized',
  class: 'graceful',
  consolidationType: 'multi',
  validation: 'whole',
  searches: 'after-change',
  eligibility: consolidationBlockers,
  search: async (scope, tools, signal) => {
    const { candidates, pass, budgets } = scope
    const { together } = tools.targets
    const kept = await pass.worthKeeping(signal)
    const open = worthKeepingLast(candidates, kept).filter(({ poolName }) => budgets.left(poolName) > 0)
    if (open.length < 2) return []
    await pass.rest(signal)
    // If no pool can launch nodes, the method could not search. If it returned an empty result instead, the method would not search again
    // when a NodePool becomes Ready.
    if (!(await pass.canSimulate(true, signal))) return undefined
    const found = await bestSet({ ...scope, candidates: open }, signal)
    await pass.rest(signal)
    noteThoseAlone(open, pass, tools.targets.alone)
    const { move, rejected, bestSingleNode } = found
    const considered = move ?? rejected
    if (considered !== undefined) countMove(tools.metrics, considered.command, considered.verdict)
    if (move === undefined) {
      together.update([], pass.now)
      return []
    }
    const ahead = {
      candidates: open,
      pass,
      slots: budgets.slots,
      bestSingleNode,
    }
    const target = [...move.command.candidates, ...(await laterDeletions(move.command, ahead, signal))]
    together.update(
      target.map(({ name }) => name),
      pass.now,
    )
    if (move.replaces) tools.events.candidate(move.command)
    tools.events.approvedForPools(move.command, move.verdict.pools)
    return [move.command]
  },
}

interface Item extends SearchItem, Mergeable {
  readonly candidate: Candidate
}

interface Move extends FoundMove {
  readonly command: Command
  readonly verdict: MoveVerdict
}

/** Returns a function that returns the offers of a pool. The offers are computed once per pool. */
const offersByPool = (
  pass: Pick<DisruptionPass, 'types' | 'nodeOverheadCost'>,
): ((pool: string) => readonly MergeOffer[]) => {
  const known = new Map<string, readonly MergeOffer[]>()
  return (name) => {
    let offers = known.get(name)
    if (offers === undefined) {
      const offered = pass.types.get(name)
      const { requirements = [] } = offered?.pool.spec.template.spec ?? {}
      offers = offered === undefined ? [] : mergeOffers(offered.list, requirements, pass.nodeOverheadCost)
      known.set(name, offers)
    }
    return offers
  }
}

/**
 * Converts a candidate to an item of the search. If one new node is enough to consolidate only this candidate, the item contains the pods
 * that need the new node. Otherwise it contains all pods of the candidate.
 */
const searchItem = (
  candidate: Candidate,
  alone: SingleNodeResult | undefined,
  offersOf: (pool: string) => readonly MergeOffer[],
  { spotToSpot }: Pick<DisruptionPass, 'spotToSpot'>,
): Item => {
  const { name, poolName: pool, price = 0, disruption, type } = candidate
  const base = { name, pool, price, disruption, candidate, typeName: type?.name }
  if (alone !== undefined && !('code' in alone.found) && alone.launch === undefined) {
    const isHeldBySpot = !spotToSpot && candidate.labels[labels.capacityType] === 'spot'
    return { ...base, launches: undefined, pods: [], offers: [], isHeldBySpot }
  }
  const { nodePool, pods } = alone?.launch ?? { nodePool: pool, pods: candidate.reschedulable }
  const isHeldBySpot = alone !== undefined && 'code' in alone.found && alone.found.code === 'spot.disabled'
  return { ...base, launches: nodePool, pods, offers: offersOf(nodePool), isHeldBySpot }
}

/** Returns the highest savings per disruption cost among moves of a single node. */
const bestRateAlone = async (
  candidates: readonly Candidate[],
  pass: DisruptionPass,
  signal: AbortSignal,
): Promise<number> => {
  let best = 0
  for (const candidate of candidates) {
    const found = await pass.consolidateSingleNode(candidate, signal)
    if ('code' in found || pass.undoneBefore([candidate]) !== undefined) continue
    if (judge(found, pass).approved) best = Math.max(best, (found.savings ?? 0) / candidate.disruption)
  }
  return best
}

/** The result of a search. */
interface FoundSet {
  /** The chosen move, approved by all affected Balanced pools. */
  readonly move: Move | undefined
  /** The latest move that Balanced pools rejected. */
  readonly rejected: Move | undefined
  /** The highest savings per disruption cost of a move of a single node. */
  readonly bestSingleNode: number
}

const bestSet = async ({ candidates, pass, budgets }: SearchScope, signal: AbortSignal): Promise<FoundSet> => {
  let simulated = 0
  let rejected: Move | undefined
  const bestSingleNode = await bestRateAlone(candidates, pass, signal)
  await pass.rest(signal)
  const offersOf = offersByPool(pass)
  const items = candidates.map((candidate) => searchItem(candidate, pass.knownSingleNode(candidate), offersOf, pass))
  const found = await searchMoves<Item, Move>({
    items,
    slots: budgets.slots,
    bestSingleNode,
    likelyMerges: (least) => pass.inSteps(likelyMerges(items, least), signal),
    mayGoOn: () => simulated < PODS_PER_SEARCH,
    ask: async (members) => {
      const chosen = members.map(({ candidate }) => candidate)
      const simulation = await pass.simulate(chosen, true, signal, MOST_CLAIMS)
      simulated += simulation.pods + 1
      const command = planConsolidation(chosen, simulation, pass, 'multi')
      if ('code' in command || pass.undoneBefore(chosen) !== undefined) return undefined
      const verdict = judge(command, pass)
      const move = { savings: command.savings ?? 0, replaces: command.replacements.length > 0, command, verdict }
      if (verdict.approved) return move
      rejected = move
      return undefined
    },
  })
  return { move: found?.move, rejected, bestSingleNode }
}
