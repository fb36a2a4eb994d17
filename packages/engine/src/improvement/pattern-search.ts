import { entryAt, floatAt, outOfRange } from '../column.ts'
import { type Bin, NO_FIXED_PODS } from './bin.ts'
import { type Column, columnPodSets } from './columns.ts'
import { Filling } from './filling.ts'
import type { Model, PodSet } from './model.ts'
import type { Prices } from './prices.ts'

/** A tolerance for comparing prices. */
const TINY = 1e-12

/** A pod set that a column can hold, with the worth of one of its pods. */
interface Item {
  readonly podSet: PodSet
  readonly worth: number
  readonly pods: number
  /** The pod's worth per share of the node that it takes. */
  readonly rank: number
}

/**
 * Searches the possible contents of one node of a column (an offering of a template). The worth of a pod is its dual in the linear program
 * (`relaxation.ts`). `each` skips contents that a cheaper offering can also hold, because the search of that offering's column finds them.
 */
export class PatternSearch {
  readonly #model: Model
  readonly #prices: Prices
  readonly #fillings: Filling[] = []
  work = 0
  mostWork = Number.POSITIVE_INFINITY

  constructor(model: Model, prices: Prices) {
    this.#model = model
    this.#prices = prices
  }

  /** Whether the last search stopped because it had used up its work. */
  get isSpent(): boolean {
    return this.work > this.mostWork
  }

  /** Fills a node of a column greedily. Returns it if its pods are worth more than `least`, and otherwise `undefined`. */
  quick(column: Column, worths: Float64Array, least: number): Bin | undefined {
    const items = this.#itemsOf(column, worths)
    this.work += items.length
    const filling = this.#filling(0)
    filling.begin(entryAt(this.#model.roots, column.template, 'roots of templates'))
    let worth = 0
    for (const item of items) {
      if (item.worth > 0) worth += item.worth * filling.add(item.podSet, item.pods, column.allocatable, column.offering)
    }
    return worth > least ? filling.toBin(this.#prices, column.template, NO_FIXED_PODS) : undefined
  }

  /** Returns the pod sets that the column can hold, by worth per share of the node, highest first. */
  #itemsOf(column: Column, worths: Float64Array): readonly Item[] {
    const { allocatable } = column
    const items: Item[] = []
    for (const number of columnPodSets(column, this.#model)) {
      const podSet = this.#model.podSets[number]
      if (podSet === undefined) continue
      const worth = floatAt(worths, number)
      items.push({ podSet, worth, pods: podSet.pods.length, rank: worth / dominantShare(podSet.row, allocatable) })
    }
    return items.sort((a, b) => b.rank - a.rank || a.podSet.id - b.podSet.id)
  }

  /**
   * Visits each node of a column whose pods have a total worth of at least `least`. Each call of `visit` returns the new minimum. `worths`
   * contains the worth of a pod, by pod set. Tries the pod sets with the most worth per share of the node first.
   */
  each(column: Column, worths: Float64Array, least: number, visit: (bin: Bin, worth: number) => number): void {
    const { allocatable, template, offering } = column
    const items = this.#itemsOf(column, worths)
    const bounds = new Bounds(items, allocatable.length)
    let wanted = least - TINY
    const root = entryAt(this.#model.roots, template, 'roots of templates')
    const descend = (place: number, filling: Filling, depth: number, worth: number): void => {
      this.work++
      if (this.isSpent || worth + bounds.rest(place, allocatable, filling.used) < wanted) return
      const item = items[place]
      if (item === undefined) {
        if (filling.isEmpty) return
        // Computing the price counts as four steps of the search.
        this.work += 4
        const cheapest = this.#prices.cheapest(filling.constraints, filling.used)
        const { template: own } = this.#model.constraintsTable.get(filling.constraints).index
        const price = (own.offerings[cheapest]?.price ?? 0) + this.#model.nodeOverheadCost
        // If the price is lower than the column's, a cheaper offering can also hold these pods, so the search of that offering's column
        // visits them.
        if (price < column.price - TINY) return
        const bin = filling.toBin(this.#prices, template, NO_FIXED_PODS)
        if (bin !== undefined) wanted = visit(bin, worth) - TINY
        return
      }
      const next = this.#filling(depth)
      next.copy(filling)
      const most = next.add(item.podSet, item.pods, allocatable, offering)
      for (let count = most; count > 0; count--) {
        if (count < most) {
          next.copy(filling)
          next.add(item.podSet, count, allocatable, offering)
        }
        descend(place + 1, next, depth + 1, worth + count * item.worth)
      }
      descend(place + 1, filling, depth, worth)
    }
    const start = this.#filling(0)
    start.begin(root)
    descend(0, start, 1, 0)
  }

  #filling(depth: number): Filling {
    const known = this.#fillings[depth] ?? new Filling(this.#model)
    this.#fillings[depth] = known
    return known
  }
}

/**
 * Upper bounds for the worth that the items from a given index on can add. Each bound considers one resource, and treats the items as if
 * any fraction of a pod could be added.
 */
class Bounds {
  readonly #width: number
  readonly #all: Float64Array
  /** By item and resource: the highest worth per unit, and the total worth of the items that do not request the resource. */
  readonly #rates: Float64Array
  readonly #free: Float64Array

  constructor(items: readonly Item[], width: number) {
    this.#width = width
    const size = items.length
    this.#all = new Float64Array(size + 1)
    this.#rates = new Float64Array((size + 1) * width)
    this.#free = new Float64Array((size + 1) * width)
    for (let place = size - 1; place >= 0; place--) {
      const item = items[place]
      if (item === undefined) continue
      const total = Math.max(0, item.worth) * item.pods
      this.#all[place] = floatAt(this.#all, place + 1) + total
      for (let resource = 0; resource < width; resource++) {
        const asked = floatAt(item.podSet.row, resource)
        const at = place * width + resource
        const before = at + width
        this.#rates[at] = Math.max(floatAt(this.#rates, before), asked > 0 ? item.worth / asked : 0)
        this.#free[at] = floatAt(this.#free, before) + (asked > 0 ? 0 : total)
      }
    }
  }

  rest(place: number, allocatable: Float64Array, used: Float64Array): number {
    let least = this.#all[place] ?? outOfRange('all', place)
    for (let resource = 0; resource < this.#width; resource++) {
      const at = place * this.#width + resource
      const capacity = allocatable[resource] ?? outOfRange('allocatable', resource)
      const left = capacity - (used[resource] ?? outOfRange('used', resource))
      const rate = this.#rates[at] ?? outOfRange('rates', at)
      const worth = rate * left + (this.#free[at] ?? outOfRange('free', at))
      if (worth < least) least = worth
    }
    return least
  }
}

const dominantShare = (row: Float64Array, allocatable: Float64Array): number => {
  let share = 0
  for (let column = 0; column < allocatable.length; column++) {
    const asked = floatAt(row, column)
    if (asked > 0) share = Math.max(share, asked / Math.max(asked, floatAt(allocatable, column)))
  }
  return Math.max(share, TINY)
}
