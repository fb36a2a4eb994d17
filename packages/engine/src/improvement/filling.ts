import { entryAt, intAt, outOfRange } from '../column.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { ConstraintsId } from '../model/ids.ts'
import type { Bin } from './bin.ts'
import type { Flexibility } from './flexibility.ts'
import type { HostRule } from './host-rules.ts'
import { joinPodSet, type Model, type PodSet } from './model.ts'
import type { Prices } from './prices.ts'
import type { Shape } from './shapes.ts'

/** Corrects the rounding of a division before its result is rounded down. */
const SLIGHTLY_MORE = 1 + 1e-12
/** The initial length of the lists. Few nodes have pods of more pod sets. */
const FIRST_PLACES = 16

/**
 * A node under construction: its pods, its constraints given these pods, and the effect of these pods on pods that are added later. `begin`
 * reuses an object, because the search fills thousands of nodes for each one that it keeps.
 */
export class Filling {
  readonly #model: Model
  constraints = NO_CONSTRAINTS
  readonly used: Float64Array
  /**
   * The pod sets on the node and the number of pods of each, in the first `size` entries. The arrays are typed to avoid allocations in
   * millions of trials.
   */
  #podSets = new Int32Array(FIRST_PLACES)
  #counts = new Int32Array(FIRST_PLACES)
  #size = 0
  /** The roles (pod sets with equal host terms) whose pods cannot share the host with the present pods, as bits. */
  #blocked: Uint32Array | undefined
  #isBlocking = false
  /** For each spread group, the number of pods on the node that the group counts. */
  #counted: Int32Array | undefined
  /** For each spread group, the number of pods on the node that have the group's constraint. */
  #owners: Int32Array | undefined

  constructor(model: Model) {
    this.#model = model
    this.used = new Float64Array(model.width)
  }

  /** Starts again with an empty node with these constraints. */
  begin(constraints: ConstraintsId): void {
    for (let place = 0; place < this.#size; place++) {
      const rule = this.#model.hostRules.rules[intAt(this.#podSets, place)]
      if (rule === undefined) continue
      if (this.#counted !== undefined) for (const group of rule.counted) this.#counted[group] = 0
      if (this.#owners !== undefined) for (const group of rule.owned) this.#owners[group] = 0
    }
    if (this.#isBlocking) this.#blocked?.fill(0)
    this.#isBlocking = false
    this.#size = 0
    this.used.fill(0)
    this.constraints = constraints
  }

  /** Starts again with the content of another filling. */
  copy(other: Filling): void {
    this.begin(other.constraints)
    this.used.set(other.used)
    while (this.#podSets.length < other.#size) this.#grow()
    for (let place = 0; place < other.#size; place++) {
      this.#podSets[place] = other.#podSets[place] ?? outOfRange('podSets', place)
      this.#counts[place] = other.#counts[place] ?? outOfRange('counts', place)
    }
    this.#size = other.#size
    if (other.#isBlocking && other.#blocked !== undefined) {
      this.#blocked ??= new Uint32Array(other.#blocked.length)
      this.#blocked.set(other.#blocked)
      this.#isBlocking = true
    }
    if (other.#counted !== undefined) {
      this.#counted ??= new Int32Array(other.#counted.length)
      this.#counted.set(other.#counted)
    }
    if (other.#owners !== undefined) {
      this.#owners ??= new Int32Array(other.#owners.length)
      this.#owners.set(other.#owners)
    }
  }

  /** Starts again with the content of a bin. */
  resume(bin: Bin): void {
    this.begin(bin.constraints)
    this.used.set(bin.used)
    for (const [place, podSet] of bin.podSets.entries()) {
      const count = entryAt(bin.counts, place)
      this.#append(podSet, count)
      const rule = this.#model.hostRules.rules[podSet]
      if (rule !== undefined) this.#note(rule, count)
    }
  }

  /** Adds up to `most` pods of a pod set, as many as fit the capacity of an offering. Returns the number of added pods. */
  add(podSet: PodSet, most: number, allocatable: Float64Array, offering: number): number {
    const { rule } = podSet
    let count = this.#fitting(podSet.row, most, allocatable)
    if (rule !== undefined) count = Math.min(count, this.#hostLimit(rule))
    if (count <= 0) return 0
    const constraints = joinPodSet(this.#model, this.constraints, podSet, offering)
    if (constraints === NO_CONSTRAINTS) return 0
    this.constraints = constraints
    this.#put(podSet, count)
    return count
  }

  /**
   * Adds up to `most` pods of a shape, as many as fit. Takes the pods from those pod sets of the shape that may join the node and still
   * have pods in `left`. Returns the number of added pods.
   */
  addShape(shape: Shape, left: Int32Array, most: number, allocatable: Float64Array, offering: number): number {
    const count = this.#fitting(shape.row, most, allocatable)
    if (count <= 0) return 0
    const constraints = joinPodSet(this.#model, this.constraints, shape, offering)
    if (constraints === NO_CONSTRAINTS) return 0
    let missing = count
    for (const number of shape.podSets) {
      const waiting = left[number] ?? outOfRange('left', number)
      if (waiting === 0) continue
      const podSet = this.#model.podSets[number]
      if (podSet === undefined) continue
      const place = this.#placeOf(number)
      let own = waiting - (place < 0 ? 0 : (this.#counts[place] ?? outOfRange('counts', place)))
      if (own > missing) own = missing
      if (podSet.rule !== undefined) own = Math.min(own, this.#hostLimit(podSet.rule))
      if (own <= 0) continue
      this.#put(podSet, own)
      missing -= own
      if (missing === 0) break
    }
    if (missing < count) this.constraints = constraints
    return count - missing
  }

  /** Returns the number of pods with these requests that fit the remaining capacity of an offering, up to `most`. */
  #fitting(row: Float64Array, most: number, allocatable: Float64Array): number {
    const { used } = this
    let count = most
    for (let resource = 0; resource < row.length; resource++) {
      const asked = row[resource] ?? outOfRange('row', resource)
      if (asked === 0) continue
      const capacity = allocatable[resource] ?? outOfRange('allocatable', resource)
      const rest = capacity - (used[resource] ?? outOfRange('used', resource))
      if (asked > rest) return 0
      if (asked * count <= rest) continue
      let fit = Math.floor((rest / asked) * SLIGHTLY_MORE)
      while (fit > 0 && fit * asked > rest) fit--
      if (fit < count) count = fit
    }
    return count
  }

  #put({ id, row, rule }: PodSet, count: number): void {
    const { used } = this
    for (let resource = 0; resource < row.length; resource++) {
      const added = count * (row[resource] ?? outOfRange('row', resource))
      used[resource] = (used[resource] ?? outOfRange('used', resource)) + added
    }
    if (rule !== undefined) this.#note(rule, count)
    const place = this.#placeOf(id)
    if (place < 0) this.#append(id, count)
    else this.#counts[place] = (this.#counts[place] ?? outOfRange('counts', place)) + count
  }

  #append(podSet: number, count: number): void {
    if (this.#size === this.#podSets.length) this.#grow()
    this.#podSets[this.#size] = podSet
    this.#counts[this.#size] = count
    this.#size++
  }

  #grow(): void {
    const podSets = this.#podSets
    this.#podSets = new Int32Array(2 * podSets.length)
    this.#podSets.set(podSets)
    const counts = this.#counts
    this.#counts = new Int32Array(2 * counts.length)
    this.#counts.set(counts)
  }

  /** Returns the index of a pod set; -1 if none of its pods is on the node. */
  #placeOf(podSet: number): number {
    for (let place = 0; place < this.#size; place++) if (this.#podSets[place] === podSet) return place
    return -1
  }

  /** Records the effect of added pods on pods added later. */
  #note(rule: HostRule, count: number): void {
    const { words, maxSkew } = this.#model.hostRules
    if (rule.blocks !== undefined) {
      this.#blocked ??= new Uint32Array(words)
      this.#isBlocking = true
      for (let word = 0; word < words; word++) {
        const more = rule.blocks[word] ?? outOfRange('blocks', word)
        this.#blocked[word] = (this.#blocked[word] ?? outOfRange('blocked', word)) | more
      }
    }
    if (rule.counted.length > 0) {
      this.#counted ??= new Int32Array(maxSkew.length)
      for (const group of rule.counted) {
        this.#counted[group] = (this.#counted[group] ?? outOfRange('counted', group)) + count
      }
    }
    if (rule.owned.length > 0) {
      this.#owners ??= new Int32Array(maxSkew.length)
      for (const group of rule.owned) this.#owners[group] = (this.#owners[group] ?? outOfRange('owners', group)) + count
    }
  }

  /**
   * Returns the number of further pods of a role that may join the node, given the host terms of these pods and of the pods on the node.
   */
  #hostLimit({ role, blocks, isOnePerHost, owned, counted }: HostRule): number {
    if (blocks !== undefined && this.#isBlocking && this.#blocked !== undefined) {
      const word = role >>> 5
      if (((this.#blocked[word] ?? outOfRange('blocked', word)) & (1 << (role & 31))) !== 0) return 0
    }
    const { maxSkew } = this.#model.hostRules
    let limit = isOnePerHost ? 1 : Number.POSITIVE_INFINITY
    for (const group of owned) {
      const allocatable = (maxSkew[group] ?? outOfRange('maxSkew', group)) - (this.#counted?.[group] ?? 0)
      if (counted.includes(group)) limit = Math.min(limit, allocatable)
      else if (allocatable < 0) limit = 0
    }
    for (const group of counted) {
      if ((this.#owners?.[group] ?? 0) === 0 || owned.includes(group)) continue
      limit = Math.min(limit, (maxSkew[group] ?? outOfRange('maxSkew', group)) - (this.#counted?.[group] ?? 0))
    }
    return Math.max(0, limit)
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** Returns whether `left` contains at least as many pods of each pod set as the node contains. */
  isLeft(left: Int32Array): boolean {
    for (let place = 0; place < this.#size; place++) {
      const podSet = this.#podSets[place] ?? outOfRange('podSets', place)
      const count = this.#counts[place] ?? outOfRange('counts', place)
      if ((left[podSet] ?? outOfRange('left', podSet)) < count) return false
    }
    return true
  }

  /** Returns the total worth of the pods on the node; `worths` has the worth of a pod by pod set. */
  worth(worths: Float64Array): number {
    let worth = 0
    for (let place = 0; place < this.#size; place++) {
      const podSet = this.#podSets[place] ?? outOfRange('podSets', place)
      const count = this.#counts[place] ?? outOfRange('counts', place)
      worth += (worths[podSet] ?? outOfRange('worths', podSet)) * count
    }
    return worth
  }

  /** The number of instance types and zones that a spot node with this content must be able to choose from. */
  get flexibility(): Flexibility {
    let types = Number.POSITIVE_INFINITY
    let zones = Number.POSITIVE_INFINITY
    for (let place = 0; place < this.#size; place++) {
      const own = this.#model.podSets[intAt(this.#podSets, place)]?.flexibility
      if (own === undefined) continue
      types = Math.min(types, own.types)
      zones = Math.min(zones, own.zones)
    }
    return { types, zones }
  }

  /** Returns the node, with the cheapest offering that holds its pods; `undefined` if it must not be launched. */
  toBin(prices: Prices, template: number, fixed: number): Bin | undefined {
    const { constraints, used } = this
    const price = prices.of(constraints, used, this.flexibility)
    if (price === undefined) return undefined
    return {
      template,
      constraints,
      used: used.slice(),
      podSets: [...this.#podSets.subarray(0, this.#size)],
      counts: [...this.#counts.subarray(0, this.#size)],
      price,
      fixed,
    }
  }
}
