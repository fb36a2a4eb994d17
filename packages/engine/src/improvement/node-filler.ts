import { entryAt, intAt, outOfRange } from '../column.ts'
import type { Column } from './columns.ts'
import type { Filling } from './filling.ts'
import type { Model } from './model.ts'
import { type RatioLists, RatioOrder } from './ratio-lists.ts'

/** The order in which a node is filled: by worth per share of its capacity, by share, or by worth per share of the remaining capacity. */
export type FillOrder = 'worth' | 'size' | 'balance'
export const fillOrders: readonly FillOrder[] = ['worth', 'size', 'balance']

/** A column, a fill order, and the last node that was filled with them. */
export interface Slot {
  readonly column: Column
  readonly order: FillOrder
  readonly filling: Filling
  /** The pod shapes in fill order. Shapes without pods left are removed from time to time. */
  queue: Int32Array
  /** The same shapes by ratio of cpu to memory, if there are many. */
  lists: RatioLists | undefined
  fills: number
  /** The price of the column's offering plus the surcharge, divided by the worth of the node's pods; infinite if nothing fits. */
  ratio: number
}

/** The pods that have not been placed yet. */
export interface Waiting {
  /** The number of pods, by pod set and by shape. */
  readonly left: Int32Array
  readonly byShape: Int32Array
  /** The worth of a pod, by pod set and by shape. */
  readonly worths: Float64Array
  readonly shapeWorths: Float64Array
}

/** If there are more shapes than this, filling a node does not try all of them. */
const MANY_SHAPES = 3_000
const MANY_PATIENCE = 200
/** After this many fills of a slot, its lists are rebuilt. */
const FILLS_PER_LISTS = 8
/**
 * The number of shapes above which the fill order `balance` groups the shapes by their ratio of cpu to memory. For each ratio, it then
 * compares only the largest shape that fits.
 */
export const MANY_OPEN = 200

/** Fills one node at a time with unplaced pods, in one of several orders. Counts its work in the units of `Packer`. */
export class NodeFiller {
  readonly #model: Model
  /** The cost of a node in addition to its price. */
  readonly #surcharge: number
  /** For each column and shape, the shape's dominant share of the column's capacity; 0 if the column cannot hold the shape. */
  readonly #shares: Float64Array
  /** The requests of each shape, one row after the other. */
  readonly #rows: Float64Array
  /** Filling a node ends after this many consecutive shapes that do not fit. */
  readonly #fruitlessWork: number
  #order: RatioOrder | undefined
  work = 0

  constructor(model: Model, shares: Float64Array, surcharge: number) {
    this.#model = model
    this.#surcharge = surcharge
    this.#shares = shares
    this.#rows = new Float64Array(model.shapes.length * model.width)
    for (const { id, row } of model.shapes) this.#rows.set(row, id * model.width)
    this.#fruitlessWork = model.shapes.length > MANY_SHAPES ? MANY_PATIENCE : Number.POSITIVE_INFINITY
  }

  /** Returns the active shapes that fit in a column, in fill order. */
  queueOf(column: Column, order: FillOrder, active: readonly number[], worths: Float64Array): Int32Array {
    const start = column.id * worths.length
    const keys = new Float64Array(active.length)
    const taken = new Int32Array(active.length)
    let size = 0
    let most = 0
    for (const shape of active) {
      const at = start + shape
      const share = this.#shares[at] ?? outOfRange('shares', at)
      if (share === 0) continue
      const rank = order === 'size' ? share : (worths[shape] ?? outOfRange('worths', shape)) / share
      if (rank > most) most = rank
      taken[size] = shape
      keys[size++] = rank
    }
    if (order === 'balance') return taken.slice(0, size)
    // A single number contains rank and shape, so that sorting needs no comparator. The ranks keep nine digits.
    const scale = most > 0 ? RANKS / most : 0
    for (let place = 0; place < size; place++) {
      const rank = (keys[place] ?? outOfRange('keys', place)) * scale
      keys[place] = (RANKS - Math.round(rank)) * MOST_SHAPES + (taken[place] ?? outOfRange('taken', place))
    }
    this.work += (active.length + size) >>> 2
    const sorted = keys.subarray(0, size).sort()
    const queue = new Int32Array(size)
    for (let place = 0; place < size; place++) {
      queue[place] = (sorted[place] ?? outOfRange('sorted', place)) % MOST_SHAPES
    }
    return queue
  }

  /** Fills a slot again from the unplaced pods. */
  fill(slot: Slot, waiting: Waiting): void {
    const { column, filling, order } = slot
    const { worths } = waiting
    filling.begin(entryAt(this.#model.roots, column.template, 'roots of templates'))
    if (order !== 'balance') this.#fillInOrder(slot, waiting)
    else if (slot.lists !== undefined || slot.queue.length > MANY_OPEN) this.#fillByRatio(slot, waiting)
    else this.#fillBalanced(slot, waiting)
    const worth = filling.worth(worths)
    slot.ratio = worth > 0 ? (column.price + this.#surcharge) / worth : Number.POSITIVE_INFINITY
  }

  #fillInOrder(slot: Slot, { left, byShape }: Waiting): void {
    const { column, filling, queue } = slot
    const { shapes } = this.#model
    const { allocatable, offering } = column
    let gone = 0
    let misses = 0
    let place = 0
    for (; place < queue.length && misses < this.#fruitlessWork; place++) {
      const number = queue[place] ?? outOfRange('queue', place)
      const waiting = byShape[number] ?? outOfRange('byShape', number)
      const shape = shapes[number]
      if (waiting === 0 || shape === undefined) gone++
      else if (filling.addShape(shape, left, waiting, allocatable, offering) > 0) misses = 0
      else misses++
    }
    this.work += 2 + place
    if (gone * 2 > place) slot.queue = queue.filter((shape) => (byShape[shape] ?? outOfRange('byShape', shape)) > 0)
  }

  /**
   * Repeatedly adds pods of the shape with the most worth per share of the remaining capacity that it takes. As a result, shapes that
   * complement one another share a node.
   */
  #fillBalanced(slot: Slot, waiting: Waiting): void {
    const { column, filling } = slot
    const { shapes, width } = this.#model
    const { allocatable, offering } = column
    const { left, byShape, shapeWorths } = waiting
    const rest = allocatable.slice()
    const rows = this.#rows
    const taken = new Map<number, number>()
    const open = slot.queue.slice()
    let size = open.length
    while (size > 0) {
      this.work += 1 + (size >>> 2)
      let best = -1
      let bestRank = Number.NEGATIVE_INFINITY
      let bestShare = 1
      let kept = 0
      for (let place = 0; place < size; place++) {
        const number = open[place] ?? outOfRange('open', place)
        if ((byShape[number] ?? outOfRange('byShape', number)) === 0) continue
        let share = 0
        for (let resource = 0; resource < width; resource++) {
          const at = number * width + resource
          const asked = rows[at] ?? outOfRange('rows', at)
          if (asked === 0) continue
          const available = rest[resource] ?? outOfRange('rest', resource)
          const own = available > 0 ? asked / available : Number.POSITIVE_INFINITY
          if (own > share) share = own
        }
        if (share > 1) continue
        if (taken.size > 0 && (taken.get(number) ?? 0) >= (byShape[number] ?? 0)) continue
        open[kept++] = number
        const rank = (shapeWorths[number] ?? outOfRange('shapeWorths', number)) / share
        if (rank > bestRank) {
          best = number
          bestRank = rank
          bestShare = share
        }
      }
      size = kept
      const shape = shapes[best]
      if (shape === undefined) return
      const most = intAt(byShape, best) - (taken.get(best) ?? 0)
      const batch = Math.max(1, Math.floor(0.25 / Math.max(bestShare, 1e-9)))
      const added = filling.addShape(shape, left, Math.min(most, batch), allocatable, offering)
      // The node only gains pods, so a shape that cannot join at present can never join.
      taken.set(best, added === 0 ? Number.POSITIVE_INFINITY : (taken.get(best) ?? 0) + added)
      for (let resource = 0; resource < rest.length; resource++) {
        const capacity = allocatable[resource] ?? outOfRange('allocatable', resource)
        rest[resource] = capacity - (filling.used[resource] ?? outOfRange('used', resource))
      }
    }
  }

  /**
   * Fills the node in the order `balance` if there are many shapes. Each ratio of cpu to memory has one list of shapes, largest first. In
   * each step, finds the first shape in each list that fits. Of these shapes, adds the one with the highest worth per share of the
   * remaining capacity that it takes.
   */
  #fillByRatio(slot: Slot, waiting: Waiting): void {
    const { column, filling } = slot
    const { shapes, width } = this.#model
    const { allocatable, offering } = column
    const { left, byShape, shapeWorths } = waiting
    const rows = this.#rows
    const lists = this.#listsOf(slot, byShape)
    const rest = allocatable.slice()
    const heads = lists.starts.slice()
    const taken = new Map<number, number>()
    let looks = 0
    for (;;) {
      let best = -1
      let bestRank = Number.NEGATIVE_INFINITY
      let bestShare = 1
      let bestList = -1
      for (let list = 0; list + 1 < heads.length; list++) {
        const end = lists.starts[list + 1] ?? outOfRange('starts', list)
        let place = heads[list] ?? outOfRange('heads', list)
        for (; place < end; place++) {
          looks++
          const number = lists.shapes[place] ?? outOfRange('shapes', place)
          const available = byShape[number] ?? outOfRange('byShape', number)
          if (available === 0 || (taken.size > 0 && (taken.get(number) ?? 0) >= available)) continue
          let share = 0
          for (let resource = 0; resource < width; resource++) {
            const at = number * width + resource
            const asked = rows[at] ?? outOfRange('rows', at)
            if (asked === 0) continue
            const free = rest[resource] ?? outOfRange('rest', resource)
            const own = free > 0 ? asked / free : Number.POSITIVE_INFINITY
            if (own > share) share = own
          }
          if (share > 1) continue
          const rank = (shapeWorths[number] ?? outOfRange('shapeWorths', number)) / share
          if (rank > bestRank) {
            best = number
            bestRank = rank
            bestShare = share
            bestList = list
          }
          break
        }
        heads[list] = place
      }
      const shape = shapes[best]
      if (shape === undefined) break
      const most = intAt(byShape, best) - (taken.get(best) ?? 0)
      const batch = Math.max(1, Math.floor(0.25 / Math.max(bestShare, 1e-9)))
      const added = filling.addShape(shape, left, Math.min(most, batch), allocatable, offering)
      // A shape that cannot join at present can never join. If all requested pods of the shape joined, the list also advances to the next
      // shape.
      if (added === 0 || added === most) heads[bestList] = (heads[bestList] ?? 0) + 1
      taken.set(best, added === 0 ? Number.POSITIVE_INFINITY : (taken.get(best) ?? 0) + added)
      for (let resource = 0; resource < width; resource++) {
        const capacity = allocatable[resource] ?? outOfRange('allocatable', resource)
        rest[resource] = capacity - (filling.used[resource] ?? outOfRange('used', resource))
      }
    }
    this.work += looks >>> 3
  }

  /**
   * Returns the shapes of a slot by ratio of cpu to memory. The lists are rebuilt from time to time without shapes that have
   * no pods left.
   */
  #listsOf(slot: Slot, byShape: Int32Array): RatioLists {
    if (slot.lists === undefined || slot.fills++ % FILLS_PER_LISTS === FILLS_PER_LISTS - 1) {
      this.#order ??= new RatioOrder(this.#rows, this.#model.width)
      const start = slot.column.id * byShape.length
      slot.lists = this.#order.listsOf(
        (shape) =>
          (byShape[shape] ?? outOfRange('byShape', shape)) > 0 &&
          (this.#shares[start + shape] ?? outOfRange('shares', start + shape)) > 0,
      )
      this.work += byShape.length >>> 5
    }
    return slot.lists
  }
}

/** An upper bound of the number of shapes. */
const MOST_SHAPES = 2 ** 20
/** The number of steps that ranks are rounded to. Its product with `MOST_SHAPES` is exact in a double. */
const RANKS = 2 ** 31

/** For each column and shape, returns the shape's dominant share of the column's capacity; 0 if the column cannot hold the shape. */
export const computeShares = ({ shapes: all }: Model, columns: readonly Column[]): Float64Array => {
  const shares = new Float64Array(columns.length * all.length)
  for (const { id, shapes, allocatable } of columns) {
    for (const shape of shapes) shares[id * all.length + shape] = dominantShare(all[shape]?.row, allocatable)
  }
  return shares
}

/** Returns the largest share that a row takes of any resource; infinite if a requested resource is not available. */
const dominantShare = (row: Float64Array | undefined, allocatable: Float64Array): number => {
  let share = 0
  for (let column = 0; column < allocatable.length; column++) {
    const asked = row?.[column] ?? 0
    if (asked === 0) continue
    const available = allocatable[column] ?? outOfRange('allocatable', column)
    if (available <= 0) return Number.POSITIVE_INFINITY
    if (asked / available > share) share = asked / available
  }
  return share
}
