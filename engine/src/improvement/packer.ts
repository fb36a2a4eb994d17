import { entryAt, floatAt, intAt, outOfRange } from '../column.ts'
import { type Bin, NO_FIXED_PODS } from './bin.ts'
import type { Column } from './columns.ts'
import { Filling } from './filling.ts'
import type { Model } from './model.ts'
import type { Prices } from './prices.ts'
import type { Shape } from './shapes.ts'

/** In which order a node is filled: by worth per share of it, by share, or by worth per share of what is left of it. */
export type FillOrder = 'worth' | 'size' | 'balance'
export const fillOrders: readonly FillOrder[] = ['worth', 'size', 'balance']

/** The node that filling a column in one order gave last. */
interface Slot {
  readonly column: Column
  readonly order: FillOrder
  readonly filling: Filling
  /** Shapes in the order of filling; those that ran out are dropped now and then. */
  queue: Int32Array
  /** Price of the column's offering and of a node, for each unit of worth; infinite if nothing fits. */
  ratio: number
}

/** What waits while nodes are filled. */
interface Waiting {
  /** Pods, by pod set and by shape. */
  readonly left: Int32Array
  readonly byShape: Int32Array
  /** What a pod is worth, by pod set and by shape. */
  readonly worths: Float64Array
  readonly shapeWorths: Float64Array
}

/** With more shapes than this a node is not offered every one of them. */
const MANY_SHAPES = 3_000
const MANY_PATIENCE = 200
/** A node is taken when it costs no more than this for its worth than the best that may still be found. */
const NEAR_BEST = 1.002
/** Looks at a shape that finding the best of the slots is worth. */
const SLOTS_PER_LOOK = 8
/** Looks that pricing a node is worth. */
const LOOKS_PER_PRICE = 8

/**
 * Fills nodes with pods and covers a set of pods with nodes, cheapest per worth first. Counts its work in looks: one look at
 * one shape on one node, some hundred nanoseconds.
 */
export class Packer {
  readonly model: Model
  readonly prices: Prices
  readonly columns: readonly Column[]
  /** What having a node more is to cost, beside its price. */
  readonly surcharge: number
  work = 0
  /** No node is begun beyond it. */
  mostWork = Number.POSITIVE_INFINITY
  /** Dominant share of a shape in a column's capacity, by column and shape; 0 if the column does not take it. */
  readonly #shares: Float64Array
  /** What each shape asks for, one row after the other. */
  readonly #rows: Float64Array
  /** A filling ends after so many shapes in a row that do not fit. */
  readonly #fruitlessWork: number
  readonly #everyShape: readonly number[]
  readonly #filling: Filling
  readonly #fillings: Filling[] = []

  constructor(
    model: Model,
    prices: Prices,
    columns: readonly Column[],
    surcharge: number,
    shares = sharesOf(model, columns),
  ) {
    this.model = model
    this.prices = prices
    this.columns = columns
    this.surcharge = surcharge
    this.#everyShape = model.shapes.map(({ id }) => id)
    this.#rows = new Float64Array(model.shapes.length * model.width)
    for (const { id, row } of model.shapes) this.#rows.set(row, id * model.width)
    this.#filling = new Filling(model)
    this.#shares = shares
    this.#fruitlessWork = model.shapes.length > MANY_SHAPES ? MANY_PATIENCE : Number.POSITIVE_INFINITY
  }

  /** The same with another surcharge. */
  with(surcharge: number): Packer {
    return new Packer(this.model, this.prices, this.columns, surcharge, this.#shares)
  }

  /** What one pod of each pod set is worth: the smallest price of its dominant share of a node. */
  worths(): Float64Array {
    const { podSets, shapes } = this.model
    const byShape = new Float64Array(shapes.length).fill(Number.POSITIVE_INFINITY)
    const size = byShape.length
    for (const { id, shapes: taken, price } of this.columns) {
      for (const shape of taken) {
        const at = id * size + shape
        const worth = (price + this.surcharge) * (this.#shares[at] ?? outOfRange('shares', at))
        if (worth < (byShape[shape] ?? outOfRange('worths', shape))) byShape[shape] = worth
      }
    }
    const worths = new Float64Array(podSets.length)
    for (const { id, podSets: own } of shapes) for (const podSet of own) worths[podSet] = floatAt(byShape, id)
    return worths
  }

  /** What is left of some shapes, with a copy of `left`; a shape is worth what its best pod is. */
  #waiting(left: Int32Array, worths: Float64Array, active: readonly number[]): Waiting {
    const { shapes } = this.model
    const byShape = new Int32Array(shapes.length)
    const shapeWorths = new Float64Array(shapes.length)
    for (const shape of active) {
      for (const podSet of shapes[shape]?.podSets ?? []) {
        const own = left[podSet] ?? outOfRange('left', podSet)
        if (own === 0) continue
        byShape[shape] = (byShape[shape] ?? outOfRange('byShape', shape)) + own
        const worth = worths[podSet] ?? outOfRange('worths', podSet)
        if (worth > (shapeWorths[shape] ?? outOfRange('shapeWorths', shape))) shapeWorths[shape] = worth
      }
    }
    return { left: left.slice(), byShape, worths, shapeWorths }
  }

  /** Those of the active shapes that a column takes, in the order of filling. */
  #queueOf(column: Column, order: FillOrder, active: readonly number[], worths: Float64Array): Int32Array {
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
    // Rank and shape in one number each, so that sorting needs no comparator; the ranks keep nine digits.
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

  /** Fills a slot anew with some of what is left. */
  #fill(slot: Slot, waiting: Waiting): void {
    const { column, filling, order } = slot
    const { worths } = waiting
    filling.begin(entryAt(this.model.roots, column.template, 'roots of templates'))
    if (order === 'balance') this.#fillBalanced(slot, waiting)
    else this.#fillInOrder(slot, waiting)
    let worth = 0
    for (let place = 0; place < filling.podSets.length; place++) {
      const podSet = filling.podSets[place] ?? outOfRange('podSets', place)
      const count = filling.counts[place] ?? outOfRange('counts', place)
      worth += (worths[podSet] ?? outOfRange('worths', podSet)) * count
    }
    slot.ratio = worth > 0 ? (column.price + this.surcharge) / worth : Number.POSITIVE_INFINITY
  }

  #fillInOrder(slot: Slot, { left, byShape }: Waiting): void {
    const { column, filling, queue } = slot
    const { shapes } = this.model
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
   * Always the shape with the most worth for its share of what is left, some at a time: pairs shapes that complete each
   * other.
   */
  #fillBalanced(slot: Slot, waiting: Waiting): void {
    const { column, filling } = slot
    const { shapes, width } = this.model
    const { allocatable, offering } = column
    const { left, byShape, shapeWorths } = waiting
    const rest = allocatable.slice()
    const rows = this.#rows
    const taken = new Map<number, number>()
    const open = this.#sample(slot, byShape)
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
      // A shape that cannot join now never can: what is on the node only grows.
      taken.set(best, added === 0 ? Number.POSITIVE_INFINITY : (taken.get(best) ?? 0) + added)
      for (let resource = 0; resource < rest.length; resource++) {
        const capacity = allocatable[resource] ?? outOfRange('allocatable', resource)
        rest[resource] = capacity - (filling.used[resource] ?? outOfRange('used', resource))
      }
    }
  }

  /** Shapes to fill a node with in the balanced way: with very many, some that are spread evenly over the queue. */
  #sample(slot: Slot, byShape: Int32Array): Int32Array {
    const { queue } = slot
    if (this.#fruitlessWork === Number.POSITIVE_INFINITY) return queue.slice()
    slot.queue = queue.filter((shape) => (byShape[shape] ?? outOfRange('byShape', shape)) > 0)
    this.work += queue.length >>> 4
    const size = Math.min(slot.queue.length, MANY_PATIENCE)
    const every = slot.queue.length / Math.max(1, size)
    return Int32Array.from({ length: size }, (_, place) => intAt(slot.queue, Math.floor(place * every)))
  }

  /** The same node with more pods in it, as far as it costs no more; `undefined` if none fits. */
  refill(bin: Bin, active: readonly Shape[], left: Int32Array): Bin | undefined {
    this.work += 2 + active.length
    const { index } = this.model.constraintsTable.get(bin.constraints)
    const offering = this.prices.cheapest(bin.constraints, bin.used)
    if (offering < 0) return undefined
    const start = intAt(index.vectorOf, offering, 'rows of offerings') * index.width
    const allocatable = index.rows.subarray(start, start + index.width)
    const { taints } = index.template
    const filling = this.#filling
    let added = 0
    for (const shape of active) {
      if (!fitsBeside(shape.row, bin.used, allocatable)) continue
      if (!shape.templates.includes(bin.template) || !this.model.run.problem.tolerates(shape.tolerations, taints))
        continue
      for (const number of shape.podSets) {
        const podSet = this.model.podSets[number]
        const waiting = intAt(left, number)
        if (waiting === 0 || podSet === undefined) continue
        // What the pods that stay mind on their host is not in the model; who might be minded goes elsewhere.
        if (bin.fixed >= 0 && podSet.mayConflict) continue
        if (added === 0) filling.resume(bin)
        added += filling.add(podSet, waiting, allocatable, offering)
      }
    }
    if (added === 0) return undefined
    this.work += LOOKS_PER_PRICE
    const better = filling.toBin(this.prices, bin.template, bin.fixed)
    return better !== undefined && better.price <= bin.price ? better : undefined
  }

  /**
   * Nodes for all that is left, cheapest per worth first; `undefined` once they cost more than `bound`, nothing fits, or the
   * work is used up. A slot is filled anew only when it looks best and what it held is no longer left: with fewer pods left
   * no filling gets better. `active` are the shapes of which some may be left.
   */
  cover(
    left: Int32Array,
    worths: Float64Array,
    orders: readonly FillOrder[],
    bound = Number.POSITIVE_INFINITY,
    active: readonly number[] = this.#everyShape,
    columns: readonly Column[] = this.columns,
  ): Bin[] | undefined {
    const waiting = this.#waiting(left, worths, active)
    const { left: rest, byShape, shapeWorths } = waiting
    const bins: Bin[] = []
    let cost = 0
    let pods = 0
    for (const shape of active) pods += intAt(byShape, shape)
    const slots: Slot[] = []
    const waitingShapes = active.filter((shape) => intAt(byShape, shape) > 0)
    for (const column of columns) {
      if (column.price + this.surcharge > bound) continue
      if (this.work > this.mostWork) return undefined
      let queue: Int32Array | undefined
      for (const order of orders) {
        // The balanced way takes the shapes as they come.
        queue =
          order === 'balance' && queue !== undefined ? queue : this.#queueOf(column, order, waitingShapes, shapeWorths)
        if (queue.length === 0) break
        this.#fillings[slots.length] ??= new Filling(this.model)
        const filling = this.#fillings[slots.length] ?? this.#filling
        const slot: Slot = { column, order, filling, queue, ratio: 0 }
        this.#fill(slot, waiting)
        if (slot.ratio < Number.POSITIVE_INFINITY) slots.push(slot)
      }
    }
    while (pods > 0) {
      if (this.work > this.mostWork) return undefined
      this.work += 1 + slots.length / SLOTS_PER_LOOK
      let best: Slot | undefined
      for (const slot of slots) if (best === undefined || slot.ratio < best.ratio * (1 - 1e-12)) best = slot
      if (best === undefined || best.ratio === Number.POSITIVE_INFINITY) return undefined
      if (!isLeft(best.filling, rest)) {
        const before = best.ratio
        this.#fill(best, waiting)
        if (best.ratio > before * NEAR_BEST) continue
      }
      this.work += LOOKS_PER_PRICE
      const bin = best.filling.toBin(this.prices, best.column.template, NO_FIXED_PODS)
      if (bin === undefined) {
        best.ratio = Number.POSITIVE_INFINITY
        continue
      }
      let repeat = Number.POSITIVE_INFINITY
      for (const [place, podSet] of bin.podSets.entries()) {
        repeat = Math.min(repeat, Math.floor(intAt(rest, podSet) / entryAt(bin.counts, place)))
      }
      cost += repeat * (bin.price + this.surcharge)
      if (cost > bound) return undefined
      for (let i = 0; i < repeat; i++) bins.push(bin)
      for (const [place, podSet] of bin.podSets.entries()) {
        const taken = repeat * entryAt(bin.counts, place)
        rest[podSet] = intAt(rest, podSet) - taken
        const shape = intAt(this.model.shapeOf, podSet)
        byShape[shape] = intAt(byShape, shape) - taken
        pods -= taken
      }
    }
    return bins
  }
}

/** More shapes than any batch has, and the steps that ranks are rounded to: their product is exact in a double. */
const MOST_SHAPES = 2 ** 20
const RANKS = 2 ** 31

/** Dominant share of each shape in each column's capacity, by column and shape; 0 if the column does not take it. */
const sharesOf = ({ shapes: all }: Model, columns: readonly Column[]): Float64Array => {
  const shares = new Float64Array(columns.length * all.length)
  for (const { id, shapes, allocatable } of columns) {
    for (const shape of shapes) shares[id * all.length + shape] = shareOf(all[shape]?.row, allocatable)
  }
  return shares
}

const isLeft = (bin: Filling, rest: Int32Array): boolean => {
  const { podSets, counts } = bin
  for (let place = 0; place < podSets.length; place++) {
    const podSet = podSets[place] ?? outOfRange('podSets', place)
    const left = rest[podSet] ?? outOfRange('rest', podSet)
    if (left < (counts[place] ?? outOfRange('counts', place))) return false
  }
  return true
}

const fitsBeside = (row: Float64Array, used: Float64Array, allocatable: Float64Array): boolean => {
  for (let column = 0; column < row.length; column++) {
    const asked = row[column] ?? outOfRange('row', column)
    const capacity = allocatable[column] ?? outOfRange('allocatable', column)
    if (asked > 0 && asked > capacity - (used[column] ?? outOfRange('used', column))) return false
  }
  return true
}

/** Largest share of what is there that a row takes of any resource; infinite if it asks for what there is none of. */
const shareOf = (row: Float64Array | undefined, allocatable: Float64Array): number => {
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
