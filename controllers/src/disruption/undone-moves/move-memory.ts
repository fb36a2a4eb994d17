import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import { consolidateAfterOf } from '../../node-claims/consolidatable.ts'
import { isSameInstanceTypes, type OfferedTypes } from '../candidates/offered-types.ts'
import type { Demand, SharedPools } from './shared-pools.ts'

/** How often the price may come back to where it was before moves have to wait: another way may still be found. */
const FREE_RETURNS = 2
/** The first wait; it doubles with each further return. */
const FIRST_REST: Milliseconds = 10 * 60_000
const LONGEST_REST: Milliseconds = 6 * 3_600_000
/** How long another demand has to last before it counts: a pod that moves is nowhere for a moment. */
const DEMAND_LASTS: Milliseconds = 60_000
/** Prices are sums in another order each time. */
const SAME_PRICE: UsdPerHour = 1e-9

/** What was so when the latest moves among some pools were begun. */
interface Remembered {
  readonly demand: Demand
  readonly types: OfferedTypes
  /** The least price at which a move was begun. */
  readonly least: UsdPerHour
  /** That of the latest. */
  readonly latest: UsdPerHour
  readonly begunAt: Milliseconds
  /** How often the price had come back to that of an earlier beginning when the next move was begun. */
  readonly returns: number
  /** Since when another demand is seen. */
  readonly differsSince: Milliseconds | undefined
}

const restAfter = (returns: number): Milliseconds =>
  returns < FREE_RETURNS ? 0 : Math.min(LONGEST_REST, FIRST_REST * 2 ** (returns - FREE_RETURNS))

const endOf = ({ begunAt, returns, differsSince }: Remembered): Milliseconds =>
  Math.min(begunAt + restAfter(returns), (differsSince ?? Number.POSITIVE_INFINITY) + DEMAND_LASTS)

/**
 * Remembers consolidations whose saving did not come: a plan uses every last millicore, kube-scheduler puts a pod where it
 * was not planned, another is unschedulable and gets a node of its own, and the next pass begins the same move
 * again. As long as the same pods are wanted and the same instance types offered, each move ought to begin at a lower price than
 * all before it. Where the price has come back often enough, moves wait, twice as long each time; any change of offers or
 * pools ends that, and one of demand that lasts a minute.
 *
 * Kept in memory only: after a restart the cycle is recognised anew.
 */
export class MoveMemory {
  readonly #byPools = new Map<string, Remembered>()

  get isEmpty(): boolean {
    return this.#byPools.size === 0
  }

  /** When next moves among some pools may have to wait no longer, as far as time alone decides; never: infinity. */
  nextEnd(now: Milliseconds): Milliseconds {
    const ends = Array.from(this.#byPools.values(), endOf).filter((end) => end > now)
    return Math.min(Number.POSITIVE_INFINITY, ...ends)
  }

  /** Until when moves among these pools had better wait; nothing when they need not. */
  waitsUntil(shared: SharedPools, types: OfferedTypes, now: Milliseconds): Milliseconds | undefined {
    const known = this.#known(shared, types, now)
    if (known === undefined || shared.price < known.least - SAME_PRICE) return undefined
    const until = endOf(known)
    return until > now ? until : undefined
  }

  /** A move among these pools is about to begin; `shared` is as it was before. */
  begun(shared: SharedPools, types: OfferedTypes, now: Milliseconds): void {
    const { demand, price } = shared
    const known = this.#known(shared, types, now)
    const isLess = known === undefined || price < known.least - SAME_PRICE
    const isReturn = known !== undefined && price > known.latest - SAME_PRICE
    this.#byPools.set(keyOf(shared), {
      demand: known?.demand ?? demand,
      differsSince: known?.differsSince,
      types,
      least: isLess ? price : known.least,
      latest: price,
      begunAt: now,
      returns: isLess ? 0 : known.returns + (isReturn ? 1 : 0),
    })
  }

  /** Nothing where something else is wanted or offered than then, or so much time has passed that something else must have happened. */
  #known(shared: SharedPools, types: OfferedTypes, now: Milliseconds): Remembered | undefined {
    const key = keyOf(shared)
    const known = this.#byPools.get(key)
    if (known === undefined) return undefined
    const differsSince = isSameDemand(known.demand, shared.demand) ? undefined : (known.differsSince ?? now)
    const isOther = differsSince !== undefined && now - differsSince >= DEMAND_LASTS
    const isOld = now - known.begunAt > 2 * Math.max(FIRST_REST, restAfter(known.returns), quietTimeOf(shared, types))
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

const keyOf = ({ pools }: SharedPools): string => pools.join()

const isSameDemand = (a: Demand, b: Demand): boolean => {
  if (a.size !== b.size) return false
  for (const [workload, count] of a) if (b.get(workload) !== count) return false
  return true
}

/** The longest consolidateAfter of the pools: nothing can come back sooner. */
const quietTimeOf = ({ pools }: SharedPools, types: OfferedTypes): Milliseconds =>
  Math.max(
    0,
    ...pools.map((name) => {
      const pool = types.get(name)?.pool
      const after = pool === undefined ? 0 : consolidateAfterOf(pool)
      return after === 'Never' ? 0 : after
    }),
  )
