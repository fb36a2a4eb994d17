import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import { poolConsolidateAfter } from '../../nodeclaim/consolidatable.ts'
import { isSameInstanceTypes, type OfferedTypes } from '../candidates/offered-types.ts'
import type { Demand, SharedPools } from './shared-pools.ts'

/** How often the price may return to an earlier value without a wait. Another move may break the cycle in the meantime. */
const FREE_RETURNS = 2
/** The first wait. It doubles whenever the price returns again. */
const FIRST_REST: Milliseconds = 10 * 60_000
const LONGEST_REST: Milliseconds = 6 * 3_600_000
/** How long a change of demand must last to end a wait. A pod that moves is missing for a moment, which is also a change of demand. */
const DEMAND_LASTS: Milliseconds = 60_000
/** The tolerance for price comparisons. Sums of the same prices differ slightly if the prices are added in a different order. */
const SAME_PRICE: UsdPerHour = 1e-9

/** The state of a group of pools when the latest moves started. */
interface Remembered {
  readonly demand: Demand
  readonly types: OfferedTypes
  /** The lowest price at which a move was started. */
  readonly least: UsdPerHour
  /** The price at which the latest move was started. */
  readonly latest: UsdPerHour
  readonly begunAt: Milliseconds
  /**
   * How many moves started at a price that was not lower than that of the previous move. A move at a new lowest price resets the count to
   * 0.
   */
  readonly returns: number
  /** Since when the demand has differed. Undefined if it does not differ. */
  readonly differsSince: Milliseconds | undefined
}

const restAfter = (returns: number): Milliseconds =>
  returns < FREE_RETURNS ? 0 : Math.min(LONGEST_REST, FIRST_REST * 2 ** (returns - FREE_RETURNS))

const waitEnd = ({ begunAt, returns, differsSince }: Remembered): Milliseconds =>
  Math.min(begunAt + restAfter(returns), (differsSince ?? Number.POSITIVE_INFINITY) + DEMAND_LASTS)

/**
 * Detects consolidations whose savings are lost again and again. Example: A plan uses every last millicore, but kube-scheduler places a pod
 * differently. Another pod then becomes unschedulable and gets a new node, and the next pass starts the same move again. While demand and
 * instance types stay the same, each move should start at a lower price than all earlier moves. If the price returns to an earlier value
 * too often, moves must wait, and each wait is twice as long as the previous one. A wait ends if instance types or pools change, or if the
 * demand changes for at least a minute. This state is kept only in memory, so Kerf must detect the cycle again after a restart.
 */
export class MoveMemory {
  readonly #byPools = new Map<string, Remembered>()

  get isEmpty(): boolean {
    return this.#byPools.size === 0
  }

  /** Returns when the next wait ends if nothing changes, or Infinity if no move is waiting. */
  nextEnd(now: Milliseconds): Milliseconds {
    const ends = Array.from(this.#byPools.values(), waitEnd).filter((end) => end > now)
    return Math.min(Number.POSITIVE_INFINITY, ...ends)
  }

  /** Returns when the next move in these pools may start, or undefined if it need not wait. */
  waitsUntil(shared: SharedPools, types: OfferedTypes, now: Milliseconds): Milliseconds | undefined {
    const known = this.#known(shared, types, now)
    if (known === undefined || shared.price < known.least - SAME_PRICE) return undefined
    const until = waitEnd(known)
    return until > now ? until : undefined
  }

  /** Records that a move in these pools is about to start. `shared` is the state before this move. */
  begun(shared: SharedPools, types: OfferedTypes, now: Milliseconds): void {
    const { demand, price } = shared
    const known = this.#known(shared, types, now)
    const isLess = known === undefined || price < known.least - SAME_PRICE
    const isReturn = known !== undefined && price > known.latest - SAME_PRICE
    this.#byPools.set(groupKey(shared), {
      demand: known?.demand ?? demand,
      differsSince: known?.differsSince,
      types,
      least: isLess ? price : known.least,
      latest: price,
      begunAt: now,
      returns: isLess ? 0 : known.returns + (isReturn ? 1 : 0),
    })
  }

  /**
   * Returns the recorded state of the pools. Deletes the record if demand or instance types have changed. Also deletes a record so old that
   * another cause must have raised the price again.
   */
  #known(shared: SharedPools, types: OfferedTypes, now: Milliseconds): Remembered | undefined {
    const key = groupKey(shared)
    const known = this.#byPools.get(key)
    if (known === undefined) return undefined
    const differsSince = isSameDemand(known.demand, shared.demand) ? undefined : (known.differsSince ?? now)
    const isOther = differsSince !== undefined && now - differsSince >= DEMAND_LASTS
    const isOld =
      now - known.begunAt > 2 * Math.max(FIRST_REST, restAfter(known.returns), longestConsolidateAfter(shared, types))
    if (isOther || isOld || !isSameInstanceTypes(known.types, types)) {
      this.#byPools.delete(key)
      return undefined
    }
    if (differsSince === known.differsSince) return known
    const seen = { ...known, differsSince }
    this.#byPools.set(key, seen)
    return seen
  }
}

const groupKey = ({ pools }: SharedPools): string => pools.join()

const isSameDemand = (a: Demand, b: Demand): boolean => {
  if (a.size !== b.size) return false
  for (const [workload, count] of a) if (b.get(workload) !== count) return false
  return true
}

/** Returns the longest consolidateAfter of the pools. A move that returns the price to an earlier value takes at least this long. */
const longestConsolidateAfter = ({ pools }: SharedPools, types: OfferedTypes): Milliseconds =>
  Math.max(
    0,
    ...pools.map((name) => {
      const pool = types.get(name)?.pool
      const after = pool === undefined ? 0 : poolConsolidateAfter(pool)
      return after === 'Never' ? 0 : after
    }),
  )
