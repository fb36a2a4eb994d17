import type { UsdPerHour } from '@kerf/apis'
import type { LeastMerge } from './merge-pairs.ts'

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
  /**
   * The most that any node going by itself would save for what it disturbs. A set that needs a new node must come near
   * it: what goes well alone is left to go alone, with fewer pods disturbed for the same saving. 0, the default, if none.
   */
  readonly bestSingleNode?: number
  /** Two nodes that may be worth merging, most promising first; asked for where there are too many to try them all. */
  likelyMerges?(least: LeastMerge): Promise<Iterable<readonly [Item, Item]>>
}

export interface SearchResult<Item extends SearchItem, Move extends FoundMove> {
  readonly items: readonly Item[]
  readonly move: Move
}

/** Up to how many nodes are asked about all together at first, and members of a move one by one at the end. */
const FEW = 64
/** Members that a prefix may have at any rate: upstream's window. */
const WINDOW = 100
/** How near to something better a saving must come for what it disturbs: to grow a set, or to need a new node. */
const NEAR = 0.85
/** The share of their price that two nodes must save to be merged when nothing better was found. */
const LEAST_SHARE = 0.1

/**
 * A set of nodes to go together, found in three steps, each from the best of the one before: the longest prefix of the
 * order that works (upstream's whole search), then growth by whichever others still fit, then doing without members that
 * contribute nothing. When no prefix works, any two nodes may begin a set.
 *
 * It saves as much as can be had at about its own rate of saving for what it disturbs, not the most that one command can:
 * what is left is found in a later round, when the room that poorer moves would have taken serves better ones. Played to
 * the end that saves more than taking all at once, and evicts fewer pods on the way (`npm run bench:consolidation`).
 *
 * Never answers a single node: that is another method's question.
 */
export const searchMoves = async <Item extends SearchItem, Move extends FoundMove>(
  options: SearchOptions<Item, Move>,
): Promise<SearchResult<Item, Move> | undefined> => {
  const search = new MoveSearch(options)
  const best = (await search.longestPrefix()) ?? (await search.anyPair())
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

  /** Not much poorer than what single nodes save, if a new node is needed. Where all go, nobody is left to do better. */
  #isWorthIt(found: SearchResult<Item, Move>): boolean {
    return !found.move.replaces || this.#isAll(found) || rateOf(found) >= NEAR * (this.#options.bestSingleNode ?? 0)
  }

  /** Whether the members that came to a set bring about as much for their disruption as those before them. */
  #growsWell(grown: SearchResult<Item, Move>, core: SearchResult<Item, Move>): boolean {
    const more = disruptionOf(grown.items) - disruptionOf(core.items)
    return this.#isAll(grown) || grown.move.savings - core.move.savings >= more * NEAR * rateOf(core)
  }

  #isAll({ items }: SearchResult<Item, Move>): boolean {
    return items.length === this.#options.items.length
  }

  async longestPrefix(): Promise<SearchResult<Item, Move> | undefined> {
    const prefix = wellPaid(this.#allowed(this.#options.items))
    if (prefix.length < 2) return undefined
    // Few enough to ask about them all: whether nobody has to stay is worth knowing first.
    const all =
      prefix.length === this.#options.items.length && prefix.length <= FEW ? await this.#ask(prefix) : undefined
    if (all !== undefined) return all
    let best: SearchResult<Item, Move> | undefined
    let low = 2
    let high = prefix.length
    while (low <= high && (best === undefined || this.#options.mayGoOn())) {
      const middle = (low + high) >>> 1
      const found = await this.#ask(prefix.slice(0, middle))
      if (found === undefined || !this.#isWorthIt(found)) {
        high = middle - 1
        continue
      }
      if (best === undefined || isBetter(found, best)) best = found
      low = middle + 1
    }
    return best
  }

  /** The first two nodes worth merging, those that save much for little first. */
  async anyPair(): Promise<SearchResult<Item, Move> | undefined> {
    const { items, bestSingleNode = 0, likelyMerges } = this.#options
    const pairs =
      likelyMerges === undefined || items.length <= FEW
        ? allPairs(items)
        : await likelyMerges({ rate: NEAR * bestSingleNode, share: LEAST_SHARE })
    for (const two of pairs) {
      if (!this.#options.mayGoOn()) return undefined
      const pair = this.#allowed(two)
      const found = pair.length < 2 ? undefined : await this.#ask(pair)
      if (found !== undefined && this.#isWorthIt(found) && isWorthMerging(found)) return found
    }
    return undefined
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
      if (found !== undefined && isBetter(found, best) && this.#growsWell(found, best)) {
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
    if (!found.move.replaces || found.items.length > FEW) return found
    let best = found
    for (const item of [...found.items].reverse()) {
      if (best.items.length <= 2 || !this.#options.mayGoOn()) break
      const fewer = await this.#ask(best.items.filter((other) => other !== item))
      if (fewer !== undefined && isBetter(fewer, best)) best = fewer
    }
    return best
  }
}

/** Any two, those that are early in the order first. */
function* allPairs<Item>(items: readonly Item[]): Generator<readonly [Item, Item]> {
  for (let sum = 1; sum <= 2 * items.length - 3; sum++) {
    for (let low = Math.max(0, sum - items.length + 1); 2 * low < sum; low++) {
      const one = items[low]
      const other = items[sum - low]
      if (one !== undefined && other !== undefined) yield [one, other]
    }
  }
}

const disruptionOf = (items: readonly SearchItem[]): number =>
  items.reduce((sum, { disruption }) => sum + disruption, 0)

/** What is saved for each unit of disruption. */
const rateOf = ({ items, move }: SearchResult<SearchItem, FoundMove>): number => move.savings / disruptionOf(items)

/** Beyond the window only as far as each brings nearly as much for its disruption as those before it, if all could go. */
const wellPaid = <Item extends SearchItem>(items: readonly Item[]): readonly Item[] => {
  let price = 0
  let disruption = 0
  for (const [place, item] of items.entries()) {
    if (place >= WINDOW && item.price * disruption < NEAR * price * item.disruption) return items.slice(0, place)
    price += item.price
    disruption += item.disruption
  }
  return items
}

const isWorthMerging = ({ items, move }: SearchResult<SearchItem, FoundMove>): boolean =>
  move.savings >= LEAST_SHARE * items.reduce((sum, { price }) => sum + price, 0)

const isBetter = (a: SearchResult<SearchItem, FoundMove>, b: SearchResult<SearchItem, FoundMove>): boolean => {
  const gain = a.move.savings - b.move.savings
  if (Math.abs(gain) > 1e-9) return gain > 0
  return disruptionOf(a.items) < disruptionOf(b.items)
}
