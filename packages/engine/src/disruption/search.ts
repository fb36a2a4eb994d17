import type { UsdPerHour } from '@kerf/apis'
import type { LeastMerge } from './merge-pairs.ts'

/** A node that a move could remove. */
export interface SearchItem {
  readonly name: string
  readonly pool: string
  readonly price: UsdPerHour
  /** The cost of disrupting its pods. */
  readonly disruption: number
}

export interface FoundMove {
  readonly savings: UsdPerHour
  /** Whether the move needs a new node. */
  readonly replaces: boolean
}

export interface SearchOptions<Item extends SearchItem, Move extends FoundMove> {
  /** Best first, by savings per disruption. */
  readonly items: readonly Item[]
  /** For each pool, how many of its nodes may be removed. */
  readonly slots: ReadonlyMap<string, number>
  /** Returns the valid move that removes exactly these nodes; undefined if there is none. */
  ask(items: readonly Item[]): Promise<Move | undefined>
  /**
   * Called after a move was found, before each further call of `ask`, and before the search is widened. If it returns false, the search
   * ends.
   */
  mayGoOn(): boolean
  /**
   * The highest savings per disruption of any single node. A set that needs a new node must nearly reach this value. Otherwise it is better
   * to remove the nodes one by one, which disrupts fewer pods for the same savings. The default is 0.
   */
  readonly bestSingleNode?: number
  /** Returns pairs of nodes that may be worth merging, most promising first. Called only if there are too many pairs to try all of them. */
  likelyMerges?(least: LeastMerge): Promise<Iterable<readonly [Item, Item]>>
}

export interface SearchResult<Item extends SearchItem, Move extends FoundMove> {
  readonly items: readonly Item[]
  readonly move: Move
}

/**
 * If there are at most this many nodes, the search first tries to remove all of them. At the end, it tries to leave out each member of the
 * set.
 */
const FEW = 64
/**
 * A prefix of the ordered nodes may always have this many members, as in Karpenter. It may have more only if the additional members save
 * nearly as much per disruption.
 */
const WINDOW = 100
/** The fraction of a better alternative's savings per disruption that a set must reach in order to grow or to use a new node. */
const NEAR = 0.85
/** The minimum savings of a merge of two nodes, as a fraction of their prices, if the search has found nothing better. */
const LEAST_SHARE = 0.1

/**
 * Finds a set of nodes to remove together. First, it searches for the longest prefix of the order that can be removed, which is all that
 * Karpenter does. Then it adds other nodes that can also be removed. Finally, it leaves out members that contribute nothing. If no prefix
 * can be removed, the set starts with any two nodes that can be removed together. A single command could often save more than this set. But
 * the set only grows while the savings per disruption stay about the same, which leaves free capacity for efficient moves in later rounds.
 * Over all rounds, this saves more than removing as much as possible at once, and it evicts fewer pods (`npm run bench:consolidation`).
 * Never returns a single node, because another method handles single nodes.
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

  /** Returns the items in order, without items that would exceed the number of removable nodes of their pool. */
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

  /**
   * Returns whether the move needs no new node, or saves nearly as much per disruption as removing single nodes does. A set of all nodes is
   * always worth it, because no node is left that could be removed alone.
   */
  #isWorthIt(found: SearchResult<Item, Move>): boolean {
    return (
      !found.move.replaces || this.#isAll(found) || savingsRate(found) >= NEAR * (this.#options.bestSingleNode ?? 0)
    )
  }

  /** Returns whether the added members of a set save about as much per disruption as the earlier members. */
  #growsWell(grown: SearchResult<Item, Move>, core: SearchResult<Item, Move>): boolean {
    const more = totalDisruption(grown.items) - totalDisruption(core.items)
    return this.#isAll(grown) || grown.move.savings - core.move.savings >= more * NEAR * savingsRate(core)
  }

  #isAll({ items }: SearchResult<Item, Move>): boolean {
    return items.length === this.#options.items.length
  }

  async longestPrefix(): Promise<SearchResult<Item, Move> | undefined> {
    const prefix = wellPaid(this.#allowed(this.#options.items))
    if (prefix.length < 2) return undefined
    // If there are few nodes, first check whether all of them can be removed.
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

  /** Returns the first pair of nodes that is worth merging. Pairs with high savings per disruption come first. */
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

  /** Tries once to add each item outside the set. Adds several at a time as long as this succeeds. */
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

  /** Leaves out members that add nothing to the savings, so that their pods are not disrupted. */
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

/** Yields all pairs. Pairs of items that come early in the order are first. */
function* allPairs<Item>(items: readonly Item[]): Generator<readonly [Item, Item]> {
  for (let sum = 1; sum <= 2 * items.length - 3; sum++) {
    for (let low = Math.max(0, sum - items.length + 1); 2 * low < sum; low++) {
      const one = items[low]
      const other = items[sum - low]
      if (one !== undefined && other !== undefined) yield [one, other]
    }
  }
}

const totalDisruption = (items: readonly SearchItem[]): number =>
  items.reduce((sum, { disruption }) => sum + disruption, 0)

/** Returns the savings per unit of disruption. */
const savingsRate = ({ items, move }: SearchResult<SearchItem, FoundMove>): number =>
  move.savings / totalDisruption(items)

/** Returns the first `WINDOW` items, and further items as long as each could save nearly as much per disruption as the items before it. */
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
  return totalDisruption(a.items) < totalDisruption(b.items)
}
