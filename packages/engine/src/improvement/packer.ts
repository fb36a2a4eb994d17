import { entryAt, floatAt, intAt, outOfRange } from '../column.ts'
import { type Bin, NO_FIXED_PODS } from './bin.ts'
import type { Column } from './columns.ts'
import { Filling } from './filling.ts'
import type { Model } from './model.ts'
import { computeShares, type FillOrder, NodeFiller, type Slot, type Waiting } from './node-filler.ts'
import type { Prices } from './prices.ts'
import type { Shape } from './shapes.ts'

/** A node is accepted if its cost per worth is at most this factor times the lowest cost per worth that the search may still find. */
const NEAR_BEST = 1.002
/** Comparing this many slots counts as one unit of work. */
const SLOTS_PER_LOOK = 8
/** Computing the price of a node counts as this many units of work. */
const LOOKS_PER_PRICE = 8

/**
 * Fills nodes with pods, and covers a set of pods with nodes. Nodes with the lowest cost per worth come first. A unit of work is one trial
 * of one shape on one node, which takes some hundred nanoseconds.
 */
export class Packer {
  readonly model: Model
  readonly prices: Prices
  readonly columns: readonly Column[]
  /** The cost of a node in addition to its price. */
  readonly surcharge: number
  /** The packer stops filling nodes after this amount of work. */
  mostWork = Number.POSITIVE_INFINITY
  readonly #shares: Float64Array
  readonly #filler: NodeFiller
  readonly #everyShape: readonly number[]
  readonly #rest: Omit<Waiting, 'worths'>
  #lastActive: readonly number[] = []
  readonly #filling: Filling
  readonly #fillings: Filling[] = []

  constructor(
    model: Model,
    prices: Prices,
    columns: readonly Column[],
    surcharge: number,
    shares = computeShares(model, columns),
  ) {
    this.model = model
    this.prices = prices
    this.columns = columns
    this.surcharge = surcharge
    this.#everyShape = model.shapes.map(({ id }) => id)
    this.#rest = {
      left: new Int32Array(model.podSets.length),
      byShape: new Int32Array(model.shapes.length),
      shapeWorths: new Float64Array(model.shapes.length),
    }
    this.#filling = new Filling(model)
    this.#shares = shares
    this.#filler = new NodeFiller(model, shares, surcharge)
  }

  get work(): number {
    return this.#filler.work
  }

  set work(work: number) {
    this.#filler.work = work
  }

  /** Returns a packer with another surcharge. Everything else is equal. */
  with(surcharge: number): Packer {
    return new Packer(this.model, this.prices, this.columns, surcharge, this.#shares)
  }

  /** Returns the worth of one pod of each pod set: the pod's dominant share of a node times the node's price, for the best column. */
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

  /**
   * Returns the unplaced pods of some shapes. The worth of a shape is that of its best pod. The result object is reused, so each call
   * invalidates the previous result.
   */
  #waiting(left: Int32Array, worths: Float64Array, active: readonly number[]): Waiting {
    const { shapes } = this.model
    const { left: rest, byShape, shapeWorths } = this.#rest
    for (const shape of this.#lastActive) byShape[shape] = 0
    this.#lastActive = active
    for (const shape of active) {
      let pods = 0
      let best = 0
      const own = shapes[shape]?.podSets ?? []
      for (let place = 0; place < own.length; place++) {
        const podSet = own[place] ?? outOfRange('pod sets', place)
        const count = left[podSet] ?? outOfRange('left', podSet)
        rest[podSet] = count
        if (count === 0) continue
        pods += count
        const worth = worths[podSet] ?? outOfRange('worths', podSet)
        if (worth > best) best = worth
      }
      byShape[shape] = pods
      shapeWorths[shape] = best
    }
    return { left: rest, byShape, worths, shapeWorths }
  }

  /** Returns the node with more pods added, as long as they do not raise its price; `undefined` if no pod can be added. */
  refill(bin: Bin, active: readonly Shape[], left: Int32Array): Bin | undefined {
    this.work += 2 + active.length
    const { index } = this.model.constraintsTable.get(bin.constraints)
    const offering = this.prices.cheapest(bin.constraints, bin.used)
    if (offering < 0) return undefined
    const start = intAt(index.vectorOf, offering, 'rows of offerings') * index.width
    const allocatable = index.rows.subarray(start, start + index.width)
    const { taints, name } = index.template
    const filling = this.#filling
    let added = 0
    for (const shape of active) {
      if (!fitsBeside(shape.row, bin.used, allocatable)) continue
      if (!shape.templates.includes(bin.template) || !this.model.run.problem.admits(shape.tolerations, taints, name))
        continue
      for (const number of shape.podSets) {
        const podSet = this.model.podSets[number]
        const waiting = intAt(left, number)
        if (waiting === 0 || podSet === undefined) continue
        // The model does not contain the host terms of fixed pods, so pod sets that may conflict with fixed pods are not added.
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
   * Returns nodes for all pods in `left`, those with the lowest cost per worth first. Returns `undefined` if they cost more than `bound`,
   * if nothing fits, or if the work is used up. A slot is filled again only if it looks best but its pods are already placed. This is
   * enough, because a node never becomes better when fewer pods are left. `active` are the shapes that may have pods left.
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
        // The balanced order does not need a sorted queue.
        queue =
          order === 'balance' && queue !== undefined
            ? queue
            : this.#filler.queueOf(column, order, waitingShapes, shapeWorths)
        if (queue.length === 0) break
        this.#fillings[slots.length] ??= new Filling(this.model)
        const filling = this.#fillings[slots.length] ?? this.#filling
        const slot: Slot = { column, order, filling, queue, lists: undefined, fills: 0, ratio: 0 }
        this.#filler.fill(slot, waiting)
        if (slot.ratio < Number.POSITIVE_INFINITY) slots.push(slot)
      }
    }
    while (pods > 0) {
      if (this.work > this.mostWork) return undefined
      this.work += 1 + slots.length / SLOTS_PER_LOOK
      let best: Slot | undefined
      for (const slot of slots) if (best === undefined || slot.ratio < best.ratio * (1 - 1e-12)) best = slot
      if (best === undefined || best.ratio === Number.POSITIVE_INFINITY) return undefined
      if (!best.filling.isLeft(rest)) {
        const before = best.ratio
        this.#filler.fill(best, waiting)
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

const fitsBeside = (row: Float64Array, used: Float64Array, allocatable: Float64Array): boolean => {
  for (let column = 0; column < row.length; column++) {
    const asked = row[column] ?? outOfRange('row', column)
    const capacity = allocatable[column] ?? outOfRange('allocatable', column)
    if (asked > 0 && asked > capacity - (used[column] ?? outOfRange('used', column))) return false
  }
  return true
}
