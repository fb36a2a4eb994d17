import type { UsdPerHour } from '../instance-type.ts'

/** A node that a move could take. */
export interface SearchItem {
  readonly name: string
  readonly pool: string
  readonly price: UsdPerHour
  /** What disturbing its pods costs. */
  readonly disruption: number
}

export interface FoundMove {
  readonly savings: UsdPerHour
  /** Needs a new node. */
  readonly replaces: boolean
}

export interface SearchOptions<Item extends SearchItem, Move extends FoundMove> {
  /** Best first: by saving over disruption. */
  readonly items: readonly Item[]
  /** How many nodes of each pool may be taken. */
  readonly slots: ReadonlyMap<string, number>
  /** The move that takes exactly these nodes, if there is a valid one. */
  ask(items: readonly Item[]): Promise<Move | undefined>
  /** Asked before every question once there is a move, and before looking further afield: false ends the search. */
  mayGoOn(): boolean
}

export interface SearchResult<Item extends SearchItem, Move extends FoundMove> {
  readonly items: readonly Item[]
  readonly move: Move
}

/** Members of a move up to which each one is questioned at the end. */
const TRIMMED = 64

/**
 * The set of nodes whose going together saves most, found in three steps, each from the best of the one before: the
 * longest prefix of the order that works (upstream's whole search), then growth by whichever others still fit, then
 * doing without members that contribute nothing. When no prefix works, every later place in the order may begin a set.
 * Never answers a single node: that is another method's question.
 */
export const searchMoves = async <Item extends SearchItem, Move extends FoundMove>(
  options: SearchOptions<Item, Move>,
): Promise<SearchResult<Item, Move> | undefined> => {
  const search = new MoveSearch(options)
  let best = await search.longestPrefix()
  for (let start = 1; best === undefined && start + 1 < options.items.length && options.mayGoOn(); start++) {
    best = await search.pairFrom(start)
  }
  if (best === undefined) return undefined
  return await search.trim(await search.grow(best))
}

class MoveSearch<Item extends SearchItem, Move extends FoundMove> {
  readonly #options: SearchOptions<Item, Move>

  constructor(options: SearchOptions<Item, Move>) {
    this.#options = options
  }

  /** The items in order as far as the pools' slots allow. */
  #allowed(items: readonly Item[], taken: readonly Item[] = []): Item[] {
    const left = new Map(this.#options.slots)
    const take = (item: Item): boolean => {
      const slots = left.get(item.pool) ?? 0
      if (slots > 0) left.set(item.pool, slots - 1)
      return slots > 0
    }
    for (const item of taken) take(item)
    return items.filter(take)
  }

  async #ask(items: readonly Item[]): Promise<SearchResult<Item, Move> | undefined> {
    const move = await this.#options.ask(items)
    return move === undefined ? undefined : { items, move }
  }

  async longestPrefix(): Promise<SearchResult<Item, Move> | undefined> {
    const prefix = this.#allowed(this.#options.items)
    let best: SearchResult<Item, Move> | undefined
    let low = 2
    let high = prefix.length
    while (low <= high && (best === undefined || this.#options.mayGoOn())) {
      const middle = (low + high) >>> 1
      const found = await this.#ask(prefix.slice(0, middle))
      if (found === undefined) {
        high = middle - 1
        continue
      }
      if (best === undefined || isBetter(found, best)) best = found
      low = middle + 1
    }
    return best
  }

  async pairFrom(start: number): Promise<SearchResult<Item, Move> | undefined> {
    const pair = this.#allowed(this.#options.items.slice(start)).slice(0, 2)
    return pair.length < 2 ? undefined : await this.#ask(pair)
  }

  /** Tries every other item once, several at a time while that goes well. */
  async grow(seed: SearchResult<Item, Move>): Promise<SearchResult<Item, Move>> {
    let best = seed
    const members = new Set(seed.items)
    const others = this.#options.items.filter((item) => !members.has(item))
    let stride = 1
    for (let place = 0; place < others.length && this.#options.mayGoOn(); ) {
      const chunk = this.#allowed(others.slice(place, place + stride), best.items)
      const found = chunk.length === 0 ? undefined : await this.#ask([...best.items, ...chunk])
      if (found !== undefined && isBetter(found, best)) {
        best = found
        place += stride
        stride *= 2
      } else if (chunk.length > 1) {
        stride = Math.max(1, stride >>> 1)
      } else {
        place += stride
        stride = 1
      }
    }
    return best
  }

  /** Leaves out members without which the move saves no less: their pods need not be disturbed. */
  async trim(found: SearchResult<Item, Move>): Promise<SearchResult<Item, Move>> {
    if (!found.move.replaces || found.items.length > TRIMMED) return found
    let best = found
    for (const item of [...found.items].reverse()) {
      if (best.items.length <= 2 || !this.#options.mayGoOn()) break
      const fewer = await this.#ask(best.items.filter((other) => other !== item))
      if (fewer !== undefined && isBetter(fewer, best)) best = fewer
    }
    return best
  }
}

const disruptionOf = (items: readonly SearchItem[]): number =>
  items.reduce((sum, { disruption }) => sum + disruption, 0)

const isBetter = (a: SearchResult<SearchItem, FoundMove>, b: SearchResult<SearchItem, FoundMove>): boolean => {
  const gain = a.move.savings - b.move.savings
  if (Math.abs(gain) > 1e-9) return gain > 0
  return disruptionOf(a.items) < disruptionOf(b.items)
}
