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
import { consolidationOf } from '../simulation/consolidation.ts'
import { consolidationBlockers } from './eligibility-checks.ts'
import { laterDeletions } from './later-deletions.ts'
import type { DisruptionMethod, SearchScope } from './method.ts'
import { countMove, judge } from './scoring.ts'
import { noteThoseAlone } from './single-node.ts'

/** How many pods one search may simulate in all: a bound on work, not on time. */
const PODS_PER_SEARCH = 250_000
/** A move may launch one node (`consolidationOf`). */
const MOST_CLAIMS = 1

/**
 * Consolidates several nodes at once, into the others or into one new node that is cheaper: the set that saves most at the
 * best rate among those that the search comes by (`docs/spec/disruption.md#multinode`; `searchMoves`). Upstream only looks at prefixes of a hundred, for a
 * minute.
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
    // Not a search that found nothing: a NodePool that becomes Ready changes nothing that such a result depends on.
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

/** What each pool may launch, worked out once. */
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
 * A candidate as the search sees it. Its pods are those that its own consolidation needs a new node for, or all of them
 * where one new node would not do.
 */
const itemOf = (
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

/** The most that one of the nodes saves by itself for what it disturbs. */
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

/** What a search came by. */
interface FoundSet {
  /** The approved move that it chose. */
  readonly move: Move | undefined
  /** The last one that Balanced pools rejected. */
  readonly rejected: Move | undefined
  /** The most that one of the nodes saves by itself for what it disturbs. */
  readonly bestSingleNode: number
}

const bestSet = async ({ candidates, pass, budgets }: SearchScope, signal: AbortSignal): Promise<FoundSet> => {
  let simulated = 0
  let rejected: Move | undefined
  const bestSingleNode = await bestRateAlone(candidates, pass, signal)
  await pass.rest(signal)
  const offersOf = offersByPool(pass)
  const items = candidates.map((candidate) => itemOf(candidate, pass.knownSingleNode(candidate), offersOf, pass))
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
      const command = consolidationOf(chosen, simulation, pass, 'multi')
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
