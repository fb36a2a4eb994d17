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
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { worthKeepingLast } from '../candidates/worth-keeping.ts'
import type { Command } from '../commands/command.ts'
import type { DisruptionPass, SingleNodeResult } from '../passes/disruption-pass.ts'
import { consolidationOf } from '../simulation/consolidation.ts'
import { type Method, Stamp } from './method.ts'
import { countMove, judge } from './scoring.ts'
import type { ConsolidationTools } from './single-node.ts'

/** How many pods the questions of one search may ask about, all together: a bound on work, not on time. */
const PODS_PER_SEARCH = 250_000

interface Item extends SearchItem, Mergeable {
  readonly candidate: Candidate
}

interface Move extends FoundMove {
  readonly command: Command
  readonly verdict: MoveVerdict
}

/** What each pool may launch, worked out once. */
const offersByPool = (round: Pick<DisruptionPass, 'types'>): ((pool: string) => readonly MergeOffer[]) => {
  const known = new Map<string, readonly MergeOffer[]>()
  return (name) => {
    let offers = known.get(name)
    if (offers === undefined) {
      const offered = round.types.get(name)
      const { requirements = [] } = offered?.pool.spec.template.spec ?? {}
      offers = offered === undefined ? [] : mergeOffers(offered.list, requirements)
      known.set(name, offers)
    }
    return offers
  }
}

/** With what its own consolidation leaves for a new node, or all its pods where it takes several nodes or none will do. */
const itemOf = (
  candidate: Candidate,
  alone: SingleNodeResult | undefined,
  offersOf: (pool: string) => readonly MergeOffer[],
  { spotToSpot }: Pick<DisruptionPass, 'spotToSpot'>,
): Item => {
  const { name, poolName: pool, price, disruption, type } = candidate
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
  round: DisruptionPass,
  signal: AbortSignal,
): Promise<number> => {
  let best = 0
  for (const candidate of candidates) {
    const found = await round.consolidateAlone(candidate, signal)
    if ('code' in found || round.undoneBefore([candidate]) !== undefined) continue
    if (judge(found, round).approved) best = Math.max(best, found.savings / candidate.disruption)
  }
  return best
}

/**
 * Consolidates several nodes at once, into the others or into one new node that is cheaper: the set that saves most at the
 * best rate among those that the search comes by (3.7; `searchMoves`). Upstream only looks at prefixes of a hundred, for a
 * minute.
 */
export const multiNode = (tools: ConsolidationTools): Method => {
  const { validator, events, metrics } = tools
  const stamp = new Stamp()

  const search = async (
    candidates: readonly Candidate[],
    round: DisruptionPass,
    budgets: PoolBudgets,
    signal: AbortSignal,
  ) => {
    let asked = 0
    let rejected: Move | undefined
    const bestAlone = await bestRateAlone(candidates, round, signal)
    const offersOf = offersByPool(round)
    const items = candidates.map((candidate) => itemOf(candidate, round.knownAlone(candidate), offersOf, round))
    const found = await searchMoves<Item, Move>({
      items,
      slots: budgets.slots,
      bestAlone,
      likelyMerges: (least) => likelyMerges(items, least),
      mayGoOn: () => asked < PODS_PER_SEARCH,
      ask: async (items) => {
        const members = items.map(({ candidate }) => candidate)
        const simulation = await round.simulate(members, true, signal)
        asked += simulation.pods + 1
        const command = consolidationOf(members, simulation, round, 'multi-node')
        if ('code' in command || round.undoneBefore(members) !== undefined) return undefined
        const verdict = judge(command, round)
        const move = { savings: command.savings, replaces: command.replacements.length > 0, command, verdict }
        if (verdict.approved) return move
        rejected = move
        return undefined
      },
    })
    return { move: found?.move, rejected }
  }

  return {
    name: 'multi-node',
    reason: 'Underutilized',
    class: 'graceful',
    type: 'multi',
    isValidated: true,
    compute: async (candidates, round, budgets, signal) => {
      const { slots } = budgets
      if (stamp.isCurrent(round, candidates, slots)) return []
      const open = worthKeepingLast(candidates, round.keepers).filter(({ poolName }) => budgets.left(poolName) > 0)
      if (open.length >= 2 && round.canSimulate) {
        const { move, rejected } = await search(open, round, budgets, signal)
        const told = move ?? rejected
        if (told !== undefined) countMove(metrics, told.command, told.verdict)
        if (move !== undefined) {
          if (move.replaces) events.candidate(move.command)
          events.approved(move.command, move.verdict.pools)
          const valid = await validator.validate(move.command, signal)
          return valid === undefined ? [] : [valid]
        }
      }
      stamp.set(round, candidates, slots)
      return []
    },
  }
}
