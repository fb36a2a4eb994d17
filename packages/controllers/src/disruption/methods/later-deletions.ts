import { searchMoves } from '@kerf/engine'
import { type Candidate, isFree } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'

/**
 * If there are more candidates than this, Kerf does not search for later deletions, because the search is expensive in large clusters. It
 * would also gain little there: budgets allow so many disruptions at a time that the waits between commands hardly matter.
 */
const MOST_NODES = 500
const MOST_STEPS = 30
/** The maximum number of pods to simulate, which takes about a tenth of a second. The next search may find more steps. */
const MOST_PODS = 40_000

/** The input of the search for later deletions. */
export interface Ahead {
  readonly candidates: readonly Candidate[]
  readonly pass: DisruptionPass
  /** The number of nodes that one step may delete, keyed by pool. */
  readonly slots: ReadonlyMap<string, number>
  readonly bestSingleNode: number
}

/**
 * Returns the nodes that later commands would delete, step by step. Each step assumes that all previous steps are done. These nodes and the
 * nodes of the command form the target of consolidation. Omits a node if its deletion would need one more new node than the command
 * launches.
 */
export const laterDeletions = async (
  command: Command,
  { candidates, pass, slots, bestSingleNode }: Ahead,
  signal: AbortSignal,
): Promise<readonly Candidate[]> => {
  if (candidates.length > MOST_NODES || !command.candidates.every(isFree)) return []
  const gone = [...command.candidates]
  const after: Candidate[] = []
  let simulated = 0
  const mayGoOn = (): boolean => simulated < MOST_PODS
  for (let step = 0; step < MOST_STEPS && mayGoOn(); step++) {
    const taken = new Set(gone.map(({ name }) => name))
    const items = candidates
      .filter((candidate) => isFree(candidate) && !taken.has(candidate.name))
      .map((candidate) => {
        const { name, poolName: pool, price = 0, disruption } = candidate
        return { name, pool, price, disruption, candidate }
      })
    if (items.length < 2) break
    const found = await searchMoves({
      items,
      slots,
      bestSingleNode,
      mayGoOn,
      ask: async (members) => {
        const chosen = members.map(({ candidate }) => candidate)
        const simulation = await pass.simulate([...gone, ...chosen], true, signal, command.replacements.length)
        simulated += simulation.pods + 1
        if (simulation.isLeftOff || simulation.unplaced.length > 0) return undefined
        if (simulation.claims.length > command.replacements.length) return undefined
        return { savings: members.reduce((sum, { price }) => sum + price, 0), replaces: false }
      },
    })
    if (found === undefined) break
    const chosen = found.items.map(({ candidate }) => candidate)
    gone.push(...chosen)
    after.push(...chosen)
  }
  return after
}
