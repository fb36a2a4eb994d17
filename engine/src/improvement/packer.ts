import { entryAt, intAt, outOfRange } from '../column.ts'
import { type Bin, NO_FIXED_PODS } from './bin.ts'
import type { Column } from './columns.ts'
import { Filling } from './filling.ts'
import type { Model, PodSet } from './model.ts'
import type { Prices } from './prices.ts'

/** In which order a node is filled: by worth per share of it, by share, or by worth per share of what is left of it. */
export type FillOrder = 'worth' | 'size' | 'balance'
export const fillOrders: readonly FillOrder[] = ['worth', 'size', 'balance']

/** The node that filling a column in one order gave last. */
interface Slot {
  readonly column: Column
  readonly order: FillOrder
  readonly filling: Filling
  /** Pod sets in the order of filling; those that ran out are dropped now and then. */
  queue: Int32Array
  /** Price of the column's offering and of a node, for each unit of worth; infinite if nothing fits. */
  ratio: number
}

/** With more pod sets than this a node is not offered every one of them. */
const MANY_POD_SETS = 3_000
const MANY_PATIENCE = 200
/** Looks at a pod set that finding the best of the slots is worth. */
const SLOTS_PER_LOOK = 8
/** Looks that pricing a node is worth. */
const LOOKS_PER_PRICE = 8

/**
 * Fills nodes with pods and covers a set of pods with nodes, cheapest per worth first. Counts its work in looks: one look at
 * one pod set on one node, some hundred nanoseconds.
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
  /** Dominant share of a pod set in a column's capacity, by column and pod set; 0 if the column does not take it. */
  readonly #shares: Float64Array
  /** A filling ends after so many pod sets in a row that do not fit. */
  readonly #fruitlessWork: number
  readonly #everyKind: readonly number[]
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
    this.#everyKind = model.podSets.map(({ id }) => id)
    this.#filling = new Filling(model)
    this.#shares = shares
    this.#fruitlessWork = model.podSets.length > MANY_POD_SETS ? MANY_PATIENCE : Number.POSITIVE_INFINITY
  }

  /** The same with another surcharge. */
  with(surcharge: number): Packer {
    return new Packer(this.model, this.prices, this.columns, surcharge, this.#shares)
  }

  /** What one pod of each pod set is worth: the smallest price of its dominant share of a node. */
  worths(): Float64Array {
    const worths = new Float64Array(this.model.podSets.length).fill(Number.POSITIVE_INFINITY)
    const size = worths.length
    for (const { id, podSets, price } of this.columns) {
      for (const podSet of podSets) {
        const at = id * size + podSet
        const worth = (price + this.surcharge) * (this.#shares[at] ?? outOfRange('shares', at))
        if (worth < (worths[podSet] ?? outOfRange('worths', podSet))) worths[podSet] = worth
      }
    }
    return worths
  }

  /** Those of the active pod sets that a column takes, in the order of filling. */
  #queueOf(column: Column, order: FillOrder, active: readonly number[], worths: Float64Array): Int32Array {
    const start = column.id * worths.length
    const keys = new Float64Array(active.length)
    const taken = new Int32Array(active.length)
    let size = 0
    let most = 0
    for (const podSet of active) {
      const at = start + podSet
      const share = this.#shares[at] ?? outOfRange('shares', at)
      if (share === 0) continue
      const rank = order === 'size' ? share : (worths[podSet] ?? outOfRange('worths', podSet)) / share
      if (rank > most) most = rank
      taken[size] = podSet
      keys[size++] = rank
    }
    // Rank and pod set in one number each, so that sorting needs no comparator; the ranks keep nine digits.
    const scale = most > 0 ? RANKS / most : 0
    for (let place = 0; place < size; place++) {
      const rank = (keys[place] ?? outOfRange('keys', place)) * scale
      keys[place] = (RANKS - Math.round(rank)) * MOST_FORMS + (taken[place] ?? outOfRange('taken', place))
    }
    this.work += (active.length + size) >>> 2
    const sorted = keys.subarray(0, size).sort()
    const queue = new Int32Array(size)
    for (let place = 0; place < size; place++) {
      queue[place] = (sorted[place] ?? outOfRange('sorted', place)) % MOST_FORMS
    }
    return queue
  }

  /** Fills a slot anew with some of what is left. */
  #fill(slot: Slot, left: Int32Array, worths: Float64Array): void {
    const { column, filling, order } = slot
    filling.begin(entryAt(this.model.roots, column.template, 'roots of templates'))
    if (order === 'balance') this.#fillBalanced(slot, left, worths)
    else this.#fillInOrder(slot, left)
    let worth = 0
    for (const [place, podSet] of filling.podSets.entries()) {
      const count = filling.counts[place] ?? outOfRange('counts', place)
      worth += (worths[podSet] ?? outOfRange('worths', podSet)) * count
    }
    slot.ratio = worth > 0 ? (column.price + this.surcharge) / worth : Number.POSITIVE_INFINITY
  }

  #fillInOrder(slot: Slot, left: Int32Array): void {
    const { column, filling, queue } = slot
    const { podSets } = this.model
    const { allocatable, offering } = column
    let gone = 0
    let misses = 0
    let place = 0
    for (; place < queue.length && misses < this.#fruitlessWork; place++) {
      const number = queue[place] ?? outOfRange('queue', place)
      const waiting = left[number] ?? outOfRange('left', number)
      const podSet = podSets[number]
      if (waiting === 0 || podSet === undefined) gone++
      else if (filling.add(podSet, waiting, allocatable, offering) > 0) misses = 0
      else misses++
    }
    this.work += 2 + place
    if (gone * 2 > place) slot.queue = queue.filter((podSet) => (left[podSet] ?? outOfRange('left', podSet)) > 0)
  }

  /**
   * Always the pod set with the most worth for its share of what is left, some at a time: pairs shapes that complete each
   * other.
   */
  #fillBalanced(slot: Slot, left: Int32Array, worths: Float64Array): void {
    const { column, filling } = slot
    const { podSets } = this.model
    const { allocatable, offering } = column
    const rest = allocatable.slice()
    const taken = new Map<number, number>()
    const open = this.#sample(slot, left)
    let size = open.length
    while (size > 0) {
      this.work += 1 + (size >>> 2)
      let best = -1
      let bestRank = Number.NEGATIVE_INFINITY
      let bestShare = 1
      let kept = 0
      for (let place = 0; place < size; place++) {
        const number = open[place] ?? outOfRange('open', place)
        const waiting = (left[number] ?? outOfRange('left', number)) - (taken.size === 0 ? 0 : (taken.get(number) ?? 0))
        if (waiting <= 0) continue
        const share = shareOf(podSets[number]?.row, rest)
        if (share > 1) continue
        open[kept++] = number
        const rank = (worths[number] ?? outOfRange('worths', number)) / share
        if (rank > bestRank) {
          best = number
          bestRank = rank
          bestShare = share
        }
      }
      size = kept
      const podSet = podSets[best]
      if (podSet === undefined) return
      const waiting = intAt(left, best) - (taken.get(best) ?? 0)
      const batch = Math.max(1, Math.floor(0.25 / Math.max(bestShare, 1e-9)))
      const added = filling.add(podSet, Math.min(waiting, batch), allocatable, offering)
      // A pod set that cannot join now never can: what is on the node only grows.
      taken.set(best, added === 0 ? Number.POSITIVE_INFINITY : (taken.get(best) ?? 0) + added)
      for (let resource = 0; resource < rest.length; resource++) {
        const capacity = allocatable[resource] ?? outOfRange('allocatable', resource)
        rest[resource] = capacity - (filling.used[resource] ?? outOfRange('used', resource))
      }
    }
  }

  /** Pod sets to fill a node with in the balanced way: with very many, some that are spread evenly over the queue. */
  #sample(slot: Slot, left: Int32Array): Int32Array {
    const { queue } = slot
    if (this.#fruitlessWork === Number.POSITIVE_INFINITY) return queue.slice()
    slot.queue = queue.filter((podSet) => (left[podSet] ?? outOfRange('left', podSet)) > 0)
    this.work += queue.length >>> 4
    const size = Math.min(slot.queue.length, MANY_PATIENCE)
    const every = slot.queue.length / Math.max(1, size)
    return Int32Array.from({ length: size }, (_, place) => intAt(slot.queue, Math.floor(place * every)))
  }

  /** The same node with more pods in it, as far as it costs no more; `undefined` if none fits. */
  refill(bin: Bin, active: readonly PodSet[], left: Int32Array): Bin | undefined {
    this.work += 2 + active.length
    const { index } = this.model.constraintsTable.get(bin.constraints)
    const offering = this.prices.cheapest(bin.constraints, bin.used)
    if (offering < 0) return undefined
    const start = intAt(index.vectorOf, offering, 'rows of offerings') * index.width
    const allocatable = index.rows.subarray(start, start + index.width)
    const { taints } = index.template
    const filling = this.#filling
    let added = 0
    for (const podSet of active) {
      const waiting = intAt(left, podSet.id)
      if (waiting === 0 || !fitsBeside(podSet.row, bin.used, allocatable)) continue
      // What the pods that stay mind on their host is not in the model; who might be minded goes elsewhere.
      if (bin.fixed >= 0 && podSet.mayConflict) continue
      if (!podSet.templates.includes(bin.template) || !this.model.run.problem.tolerates(podSet.tolerations, taints))
        continue
      if (added === 0) filling.resume(bin)
      added += filling.add(podSet, waiting, allocatable, offering)
    }
    if (added === 0) return undefined
    this.work += LOOKS_PER_PRICE
    const better = filling.toBin(this.prices, bin.template, bin.fixed)
    return better !== undefined && better.price <= bin.price ? better : undefined
  }

  /**
   * Nodes for all that is left, cheapest per worth first; `undefined` once they cost more than `bound`, nothing fits, or the
   * work is used up. A slot is filled anew only when it looks best and what it held is no longer left: with fewer pods left
   * no filling gets better. `active` are the pod sets of which some may be left.
   */
  cover(
    left: Int32Array,
    worths: Float64Array,
    orders: readonly FillOrder[],
    bound = Number.POSITIVE_INFINITY,
    active: readonly number[] = this.#everyKind,
  ): Bin[] | undefined {
    const rest = left.slice()
    const bins: Bin[] = []
    let cost = 0
    let waiting = rest.reduce((sum, count) => sum + count, 0)
    const slots: Slot[] = []
    const waitingPodSets = active.filter((podSet) => intAt(rest, podSet) > 0)
    for (const column of this.columns) {
      if (this.work > this.mostWork) return undefined
      let queue: Int32Array | undefined
      for (const order of orders) {
        // The balanced way takes the pod sets as they come.
        queue =
          order === 'balance' && queue !== undefined ? queue : this.#queueOf(column, order, waitingPodSets, worths)
        if (queue.length === 0) break
        this.#fillings[slots.length] ??= new Filling(this.model)
        const filling = this.#fillings[slots.length] ?? this.#filling
        const slot: Slot = { column, order, filling, queue, ratio: 0 }
        this.#fill(slot, rest, worths)
        if (slot.ratio < Number.POSITIVE_INFINITY) slots.push(slot)
      }
    }
    while (waiting > 0) {
      if (this.work > this.mostWork) return undefined
      this.work += 1 + slots.length / SLOTS_PER_LOOK
      let best: Slot | undefined
      for (const slot of slots) if (best === undefined || slot.ratio < best.ratio * (1 - 1e-12)) best = slot
      if (best === undefined || best.ratio === Number.POSITIVE_INFINITY) return undefined
      if (!isLeft(best.filling, rest)) {
        this.#fill(best, rest, worths)
        continue
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
        waiting -= taken
      }
    }
    return bins
  }
}

/** More pod sets than any batch has, and the steps that ranks are rounded to: their product is exact in a double. */
const MOST_FORMS = 2 ** 20
const RANKS = 2 ** 31

/** Dominant share of each pod set in each column's capacity, by column and pod set; 0 if the column does not take it. */
const sharesOf = ({ podSets: all }: Model, columns: readonly Column[]): Float64Array => {
  const shares = new Float64Array(columns.length * all.length)
  for (const { id, podSets, allocatable } of columns) {
    for (const podSet of podSets) shares[id * all.length + podSet] = shareOf(all[podSet]?.row, allocatable)
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
