import type { NodeId } from '../model/ids.ts'
import { inOrder, type Place } from './queue.ts'

/** The number of cached queues: one for the best set of nodes that a search has found, and one for each of the sets tried last. */
const KNOWN = 4
/** Queues for fewer nodes than this are not cached, because sorting them is as fast as a lookup. */
const WORTH_KNOWING = 8

interface KnownQueue {
  readonly nodes: ReadonlySet<NodeId>
  readonly places: readonly Place[]
}

/**
 * Caches the queues of what-ifs about sets of nodes. The what-ifs of a search differ only in a few nodes. Therefore a queue is built from
 * the largest cached queue whose nodes are a subset, plus the pods of the added nodes.
 */
export class KnownQueues {
  readonly #runningOn: (node: NodeId) => readonly Place[]
  /** The cached queues. The least recently used one comes first. */
  #known: readonly KnownQueue[] = []

  /** `runningOn` returns the pods of a node, in order. */
  constructor(runningOn: (node: NodeId) => readonly Place[]) {
    this.#runningOn = runningOn
  }

  /** Returns the pods that run on these nodes, in queue order. */
  of(nodes: ReadonlySet<NodeId>): readonly Place[] {
    const part = this.#largestPartOf(nodes)
    const lists: (readonly Place[])[] = []
    for (const node of nodes) if (part?.nodes.has(node) !== true) lists.push(this.#runningOn(node))
    const places = part === undefined ? sorted(lists) : merged(part.places, sorted(lists))
    if (nodes.size < WORTH_KNOWING) return places
    const others = this.#known.filter((known) => known !== part)
    const own = { nodes, places }
    this.#known = [...others, ...(part === undefined || part.nodes.size === nodes.size ? [] : [part]), own].slice(
      -KNOWN,
    )
    return places
  }

  #largestPartOf(nodes: ReadonlySet<NodeId>): KnownQueue | undefined {
    let largest: KnownQueue | undefined
    for (const known of this.#known) {
      if (known.nodes.size > (largest?.nodes.size ?? 0) && known.nodes.isSubsetOf(nodes)) largest = known
    }
    return largest
  }
}

/** Merges ordered lists by sorting, which is fast for input with long ordered runs. */
const sorted = (lists: readonly (readonly Place[])[]): readonly Place[] => {
  const [only = []] = lists
  return lists.length <= 1 ? only : lists.flat().sort(inOrder)
}

/** Merges two ordered lists. If the second list is much shorter, most of the first list is copied in long runs. */
export const merged = (many: readonly Place[], few: readonly Place[]): readonly Place[] => {
  const all: Place[] = []
  let from = 0
  for (const place of few) {
    const end = firstAfter(many, place, from)
    for (const before of stretch(many, from, end)) all.push(before)
    all.push(place)
    from = end
  }
  for (const rest of stretch(many, from, many.length)) all.push(rest)
  return all
}

const stretch = (list: readonly Place[], from: number, end: number): readonly Place[] =>
  from === 0 && end === list.length ? list : list.slice(from, end)

/** Returns the index of the first entry after `place` in an ordered list, starting at `from`. */
const firstAfter = (list: readonly Place[], place: Place, from: number): number => {
  const isBefore = (at: number): boolean => {
    const other = list[at]
    return other !== undefined && inOrder(other, place) <= 0
  }
  let low = from
  let step = 1
  while (isBefore(low + step - 1)) {
    low += step
    step *= 2
  }
  let high = Math.min(list.length, low + step - 1)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
