import type { NodeId } from '../model/ids.ts'
import { inOrder, type Place } from './queue.ts'

/** How many queues are remembered: the best set of a search, and the last ones that were tried beside it. */
const KNOWN = 4
/** Smaller queues are put in order as quickly as one is found. */
const WORTH_KNOWING = 8

interface KnownQueue {
  readonly nodes: ReadonlySet<NodeId>
  readonly places: readonly Place[]
}

/**
 * The queues of questions about sets of nodes. A search asks about the same set with now this node and now that one added,
 * so a queue is made of the largest known one that is part of it, and of the nodes that are added.
 */
export class KnownQueues {
  readonly #runningOn: (node: NodeId) => readonly Place[]
  /** The latest used comes last. */
  #known: readonly KnownQueue[] = []

  /** `runningOn`: the pods of a node, in order. */
  constructor(runningOn: (node: NodeId) => readonly Place[]) {
    this.#runningOn = runningOn
  }

  /** The pods that run on these nodes, in the order in which they are tried. */
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

/** Ordered lists as one. Sorting is quick where long stretches are in order already. */
const sorted = (lists: readonly (readonly Place[])[]): readonly Place[] => {
  const [only = []] = lists
  return lists.length <= 1 ? only : lists.flat().sort(inOrder)
}

/** Two ordered lists as one. Where few come to many, most are passed over in long stretches. */
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

/** Where in an ordered list, from a place on, the first comes that is after this one. */
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
