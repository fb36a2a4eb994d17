import { NO_STATE } from '../catalogue/states.ts'
import { type Bin, priceOf } from './bin.ts'
import { type Column, columnsOf, joinKind } from './columns.ts'
import type { Kind, Model } from './model.ts'

/** In which order a node is filled: by worth per share of it, by share, or by worth per share of what is left of it. */
export type FillOrder = 'worth' | 'size' | 'balance'
export const fillOrders: readonly FillOrder[] = ['worth', 'size', 'balance']

/** A node under construction. */
interface Filling {
  state: number
  readonly used: Float64Array
  readonly kinds: number[]
  readonly counts: number[]
  /** 1 for kinds that may not share the host with what is on it; absent while nothing is that anybody minds. */
  blocked: Uint8Array | undefined
  /** Pods on it that host spread groups count, and groups that somebody on it has to respect, by the group's number. */
  readonly spreadCounts: Map<number, number>
  readonly spreadOwners: Set<number>
}

interface Candidate {
  readonly column: Column
  readonly filling: Filling
  /** Price of the column's offering and of a node, for each unit of worth. */
  readonly ratio: number
}

/** Kinds looked at in one unit of work. */
const KINDS_PER_UNIT = 16

/** Guards a whole-number division of doubles against their last bit. */
const SLIGHTLY_MORE = 1 + 1e-12

/** Fills nodes with pods and covers a set of pods with nodes, cheapest per worth first. Counts its work. */
export class Packer {
  readonly model: Model
  readonly columns: readonly Column[]
  readonly surcharge: number
  /** Units of work done: fills, larger ones counting for more. */
  work = 0
  /** No fill begins beyond it. */
  mostWork = Number.POSITIVE_INFINITY
  readonly #roots: number[]
  /** Dominant share of a kind in a column's room, by column and kind. */
  readonly #shares: Float64Array
  readonly #ranks: Float64Array

  constructor(model: Model, surcharge: number, columns = columnsOf(model)) {
    this.model = model
    this.surcharge = surcharge
    this.columns = columns
    this.#roots = model.run.world.templates.map(({ index }) => model.states.root(index))
    const size = model.kinds.length
    this.#ranks = new Float64Array(size)
    this.#shares = new Float64Array(columns.length * size)
    for (const { id, kinds, room } of columns) {
      for (const kind of kinds) this.#shares[id * size + kind] = shareOf(model.kinds[kind]?.row, room)
    }
  }

  /** What one pod of each kind is worth: the smallest price of its dominant share of a node. */
  worths(): Float64Array {
    const worths = new Float64Array(this.model.kinds.length).fill(Number.POSITIVE_INFINITY)
    for (const column of this.columns) {
      for (const kind of column.kinds) {
        const worth = (column.price + this.surcharge) * this.#share(column, kind)
        if (worth < (worths[kind] ?? 0)) worths[kind] = worth
      }
    }
    return worths
  }

  #share(column: Column, kind: number): number {
    return this.#shares[column.id * this.model.kinds.length + kind] ?? 0
  }

  /** A new node of a column's kind, filled with some of the kinds that are left. */
  fill(
    column: Column,
    active: readonly number[],
    left: Int32Array,
    worths: Float64Array,
    order: FillOrder,
  ): Candidate | undefined {
    this.work += 1 + active.length / KINDS_PER_UNIT
    const filling: Filling = {
      state: this.#roots[column.template] ?? NO_STATE,
      used: new Float64Array(column.room.length),
      kinds: [],
      counts: [],
      blocked: undefined,
      spreadCounts: new Map(),
      spreadOwners: new Set(),
    }
    if (order === 'balance') this.#fillBalanced(filling, column, active, left, worths)
    else for (const kind of this.#inOrder(column, active, worths, order)) this.#addMost(filling, column, left, kind)
    if (filling.kinds.length === 0) return undefined
    let worth = 0
    for (const [place, kind] of filling.kinds.entries()) worth += (worths[kind] ?? 0) * (filling.counts[place] ?? 0)
    return { column, filling, ratio: (column.price + this.surcharge) / worth }
  }

  /** The node as the cheapest offering that holds it; `undefined` if it may not be launched. */
  #binOf({ state, used, kinds, counts }: Filling, template: number, fixed: number): Bin | undefined {
    let flexibility = Number.POSITIVE_INFINITY
    for (const kind of kinds) flexibility = Math.min(flexibility, this.model.kinds[kind]?.flexibility ?? 0)
    const price = priceOf(this.model, state, used, flexibility)
    return price === undefined ? undefined : { template, state, used, kinds, counts, price, fixed }
  }

  /** Adds as many pods of a kind as are left and fit. */
  #addMost(filling: Filling, column: Column, left: Int32Array, kind: number, most = Number.POSITIVE_INFINITY): number {
    const waiting = left[kind] ?? 0
    if (waiting === 0) return 0
    const entry = this.model.kinds[kind]
    if (entry === undefined) return 0
    let count = Math.min(waiting, most)
    const { row } = entry
    for (let resource = 0; resource < row.length; resource++) {
      const asked = row[resource] ?? 0
      if (asked === 0) continue
      const room = (column.room[resource] ?? 0) - (filling.used[resource] ?? 0)
      let fit = Math.floor((room / asked) * SLIGHTLY_MORE)
      while (fit > 0 && fit * asked > room) fit--
      if (fit < count) count = fit
    }
    if (count <= 0) return 0
    if (entry.isConstrained) count = Math.min(count, this.#hostLimit(filling, entry))
    if (count <= 0) return 0
    const state = joinKind(this.model, filling.state, entry)
    if (state === NO_STATE || !this.#has(state, column.offering)) return 0
    filling.state = state
    for (let resource = 0; resource < row.length; resource++) {
      filling.used[resource] = (filling.used[resource] ?? 0) + count * (row[resource] ?? 0)
    }
    if (entry.isConstrained) this.#note(filling, entry, count)
    const place = filling.kinds.indexOf(kind)
    if (place < 0) {
      filling.kinds.push(kind)
      filling.counts.push(count)
    } else filling.counts[place] = (filling.counts[place] ?? 0) + count
    return count
  }

  #has(state: number, offering: number): boolean {
    const { offerings } = this.model.states.get(state)
    return ((offerings[offering >>> 5] ?? 0) & (1 << (offering & 31))) !== 0
  }

  /** Remembers what pods on a host mean for those that come after. */
  #note(filling: Filling, kind: Kind, count: number): void {
    const { conflicts, kinds } = this.model
    if (conflicts !== undefined) {
      filling.blocked ??= new Uint8Array(kinds.length)
      const start = kind.id * kinds.length
      for (let other = 0; other < kinds.length; other++) {
        if (conflicts[start + other] === 1) filling.blocked[other] = 1
      }
    }
    for (const { id, kind: type } of kind.counted) {
      if (type === 'spread') filling.spreadCounts.set(id, (filling.spreadCounts.get(id) ?? 0) + count)
    }
    for (const { id, kind: type } of kind.owned) if (type === 'spread') filling.spreadOwners.add(id)
  }

  /** How many more pods of a kind the host terms of everybody on the node allow. */
  #hostLimit(filling: Filling, kind: Kind): number {
    if (filling.blocked?.[kind.id] === 1) return 0
    const { conflicts, kinds } = this.model
    let limit = conflicts?.[kind.id * kinds.length + kind.id] === 1 ? 1 : Number.POSITIVE_INFINITY
    for (const group of kind.owned) {
      if (group.kind !== 'spread') continue
      const room = group.maxSkew - (filling.spreadCounts.get(group.id) ?? 0)
      if (kind.counted.includes(group)) limit = Math.min(limit, room)
      else if (room < 0) limit = 0
    }
    for (const group of kind.counted) {
      if (group.kind !== 'spread' || !filling.spreadOwners.has(group.id) || kind.owned.includes(group)) continue
      limit = Math.min(limit, group.maxSkew - (filling.spreadCounts.get(group.id) ?? 0))
    }
    return Math.max(0, limit)
  }

  #inOrder(column: Column, active: readonly number[], worths: Float64Array, order: FillOrder): readonly number[] {
    const ranks = this.#ranks
    for (const kind of active) {
      const share = this.#share(column, kind)
      ranks[kind] = order === 'size' ? share : (worths[kind] ?? 0) / share
    }
    return active.toSorted((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b)
  }

  /** Always the kind with the most worth for its share of what is left, some at a time: pairs shapes that complete each other. */
  #fillBalanced(
    filling: Filling,
    column: Column,
    active: readonly number[],
    left: Int32Array,
    worths: Float64Array,
  ): void {
    const room = column.room.slice()
    const rest = left.slice()
    let open = active
    while (open.length > 0) {
      this.work += open.length / KINDS_PER_UNIT
      let best = -1
      let bestRank = Number.NEGATIVE_INFINITY
      let bestShare = 1
      let closed = 0
      for (const kind of open) {
        const share = this.#shareOfRest(kind, room)
        if (share > 1) {
          closed++
          continue
        }
        const rank = (worths[kind] ?? 0) / share
        if (rank > bestRank) {
          best = kind
          bestRank = rank
          bestShare = share
        }
      }
      if (best < 0) return
      const batch = Math.max(1, Math.floor(0.25 / Math.max(bestShare, 1e-9)))
      const added = this.#addMost(filling, column, rest, best, batch)
      rest[best] = (rest[best] ?? 0) - added
      const isDone = added === 0 || rest[best] === 0
      if (isDone || closed > 0) {
        open = open.filter((kind) => !(isDone && kind === best) && this.#shareOfRest(kind, room) <= 1)
      }
      for (let resource = 0; resource < room.length; resource++) {
        room[resource] = (column.room[resource] ?? 0) - (filling.used[resource] ?? 0)
      }
    }
  }

  #shareOfRest(kind: number, room: Float64Array): number {
    const row = this.model.kinds[kind]?.row
    let share = 0
    for (let column = 0; column < room.length; column++) {
      const asked = row?.[column] ?? 0
      if (asked === 0) continue
      const available = room[column] ?? 0
      if (available <= 0) return Number.POSITIVE_INFINITY
      if (asked / available > share) share = asked / available
    }
    return share
  }

  /** The same node with more pods in it, as far as it costs no more; `undefined` if none fits. */
  refill(bin: Bin, left: Int32Array, worths: Float64Array): Bin | undefined {
    this.work++
    const state = this.model.states.get(bin.state)
    const { index } = state
    let offering = -1
    for (let word = 0; word < state.offerings.length && offering < 0; word++) {
      let rest = state.offerings[word] ?? 0
      while (rest !== 0) {
        const candidate = (word << 5) + 31 - Math.clz32(rest & -rest)
        if (index.fits(candidate, bin.used)) {
          offering = candidate
          break
        }
        rest &= rest - 1
      }
    }
    if (offering < 0) return undefined
    const start = (index.vectorOf[offering] ?? 0) * index.width
    const room = index.rows.slice(start, start + index.width)
    const allowed: number[] = []
    for (const kind of this.model.kinds) {
      if ((left[kind.id] ?? 0) === 0 || !kind.templates.includes(bin.template)) continue
      // What the pods that stay mind on their host is not in the model; who might be minded goes elsewhere.
      if (bin.fixed >= 0 && kind.isConstrained) continue
      const { taints } = index.template
      if (this.model.run.world.tolerates(kind.tolerations, taints)) allowed.push(kind.id)
    }
    if (allowed.length === 0) return undefined
    allowed.sort((a, b) => (worths[b] ?? 0) - (worths[a] ?? 0) || a - b)
    const column: Column = {
      id: -1,
      template: bin.template,
      offering,
      price: bin.price,
      room,
      kinds: allowed,
      takes: NONE,
    }
    const filling: Filling = {
      state: bin.state,
      used: bin.used.slice(),
      kinds: [...bin.kinds],
      counts: [...bin.counts],
      blocked: undefined,
      spreadCounts: new Map(),
      spreadOwners: new Set(),
    }
    for (const [place, kind] of bin.kinds.entries()) {
      const entry = this.model.kinds[kind]
      if (entry?.isConstrained === true) this.#note(filling, entry, bin.counts[place] ?? 0)
    }
    let added = 0
    for (const kind of allowed) added += this.#addMost(filling, column, left, kind)
    if (added === 0) return undefined
    const better = this.#binOf(filling, bin.template, bin.fixed)
    return better !== undefined && better.price <= bin.price ? better : undefined
  }

  /** Nodes for all that is left, cheapest per worth first; `undefined` once they cost more than `bound`, nothing fits, or the work is used up. */
  cover(
    left: Int32Array,
    worths: Float64Array,
    orders: readonly FillOrder[],
    bound = Number.POSITIVE_INFINITY,
  ): Bin[] | undefined {
    const rest = left.slice()
    const bins: Bin[] = []
    let cost = 0
    let waiting = rest.reduce((sum, count) => sum + count, 0)
    const known = new Map<number, Candidate>()
    const refused = new Set<number>()
    const active = this.model.kinds.filter(({ id }) => (rest[id] ?? 0) > 0).map(({ id }) => id)
    while (waiting > 0) {
      if (this.work > this.mostWork) return undefined
      let best: Candidate | undefined
      let bestKey = -1
      this.work += (this.columns.length * active.length) / (64 * KINDS_PER_UNIT)
      for (const column of this.columns) {
        const own = active.filter((kind) => column.takes[kind] === 1 && (rest[kind] ?? 0) > 0)
        if (own.length === 0) continue
        for (const [place, order] of orders.entries()) {
          const key = column.id * orders.length + place
          if (refused.has(key)) continue
          let candidate = known.get(key)
          // A node filled before is what filling would give now, while all it holds is still left.
          if (candidate === undefined || !isLeft(candidate.filling, rest)) {
            candidate = this.fill(column, own, rest, worths, order)
            if (candidate === undefined) continue
            known.set(key, candidate)
          }
          if (best === undefined || candidate.ratio < best.ratio * (1 - 1e-12)) {
            best = candidate
            bestKey = key
          }
        }
      }
      if (best === undefined) return undefined
      const bin = this.#binOf(best.filling, best.column.template, -1)
      if (bin === undefined) {
        refused.add(bestKey)
        continue
      }
      let repeat = Number.POSITIVE_INFINITY
      for (const [place, kind] of bin.kinds.entries()) {
        repeat = Math.min(repeat, Math.floor((rest[kind] ?? 0) / (bin.counts[place] ?? 1)))
      }
      cost += repeat * (bin.price + this.surcharge)
      if (cost > bound) return undefined
      for (let i = 0; i < repeat; i++) bins.push(bin)
      for (const [place, kind] of bin.kinds.entries()) {
        const taken = repeat * (bin.counts[place] ?? 0)
        rest[kind] = (rest[kind] ?? 0) - taken
        waiting -= taken
      }
    }
    return bins
  }
}

const NONE = new Uint8Array(0)

const isLeft = (bin: Filling, rest: Int32Array): boolean => {
  for (const [place, kind] of bin.kinds.entries()) if ((rest[kind] ?? 0) < (bin.counts[place] ?? 0)) return false
  return true
}

const shareOf = (row: Float64Array | undefined, room: Float64Array): number => {
  let share = 0
  for (let column = 0; column < room.length; column++) {
    const available = room[column] ?? 0
    const asked = row?.[column] ?? 0
    if (asked > 0 && available > 0 && asked / available > share) share = asked / available
  }
  return share
}
