import type { Pod, UsdPerHour } from '@kerf/apis'
import { floatAt } from '../column.ts'
import type { InstanceType, RequirementSpec } from '../instance-type.ts'
import { typeAllocatable } from '../instance-types/allocatable.ts'
import { oncePerObject } from '../once-per-object.ts'
import { cachedRequests } from '../pods/pod-form.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { Steps } from '../steps.ts'
import { cheapestPrice, parseRequirements, typeRequirements } from './prices.ts'

/** An instance type that could replace two nodes. */
export interface MergeOffer {
  readonly type: string
  /** The price of its cheapest offering. */
  readonly price: UsdPerHour
  readonly allocatable: Amounts
}

/** A node, with the values needed to decide about merging it with another node into a new one. */
export interface Mergeable {
  readonly price: UsdPerHour
  readonly disruption: number
  /**
   * The instance type of the node. If one of two nodes already has the new node's type, merging them into it is the same as deleting the
   * other one.
   */
  readonly typeName: string | undefined
  /** The pool that would launch the new node; absent if the node's pods fit on other nodes. */
  readonly launches: string | undefined
  /** The pods that need a new node: those that are known to fit nowhere else. If that is not known, all pods. */
  readonly pods: readonly Pod[]
  readonly offers: readonly MergeOffer[]
  /**
   * Whether the node is a spot node whose pods would move to a new spot node, although spot nodes must not replace spot nodes. Two such
   * nodes cannot be merged at any price (`docs/spec/disruption.md#consolidation`).
   */
  readonly isHeldBySpot: boolean
}

export interface LeastMerge {
  /** The savings per unit of disruption cost. */
  readonly rate: number
  /** The savings as a fraction of the sum of both nodes' prices. */
  readonly share: number
}

/** The search pairs at most this many of the nodes whose pods fit elsewhere, best first. */
const FREE = 12
/** The maximum number of nodes that the search considers, best first. */
const LOOKED_AT = 1_000
/** The number of instance types and partners that are compared in one step, which takes a few milliseconds. */
export const PARTNERS_PER_STEP = 20_000
/**
 * The maximum number of partners of a node for one instance type. Partners whose replacement would come from the same pool have a separate
 * limit of the same size.
 */
const PARTNERS = 3

/** Returns the allocatable capacity of an instance type, which does not depend on its offerings. */
const allocatableOnce = oncePerObject(typeAllocatable)

/**
 * Returns the instance types that a pool can launch at present, cheapest first. `requirements` are those of its template.
 * `nodeOverheadCost` is the overhead cost per node.
 */
export const mergeOffers = (
  types: readonly InstanceType[],
  requirements: readonly RequirementSpec[],
  nodeOverheadCost: UsdPerHour = 0,
): readonly MergeOffer[] => {
  const wanted = parseRequirements(requirements)
  const offers: MergeOffer[] = []
  for (const type of types) {
    if (!wanted.intersects(typeRequirements(type))) continue
    const price = cheapestPrice(type, wanted) + nodeOverheadCost
    if (Number.isFinite(price)) offers.push({ type: type.name, price, allocatable: allocatableOnce(type) })
  }
  return offers.sort((a, b) => a.price - b.price)
}

interface Vectors {
  readonly requests: readonly Float64Array[]
  allocatablesOf(offers: readonly MergeOffer[]): readonly Float64Array[]
}

const buildVectors = (items: readonly Mergeable[]): Vectors => {
  const columns = new Map<string, number>()
  const sums = items.map(({ pods }) => {
    const sum = new Map<string, number>()
    for (const pod of pods) {
      for (const [name, amount] of cachedRequests(pod)) {
        if (!columns.has(name)) columns.set(name, columns.size)
        sum.set(name, (sum.get(name) ?? 0) + Number(amount))
      }
    }
    return sum
  })
  const row = (amounts: ReadonlyMap<string, number | bigint>): Float64Array => {
    const vector = new Float64Array(columns.size)
    for (const [name, column] of columns) vector[column] = Number(amounts.get(name) ?? 0)
    return vector
  }
  const allocatables = new Map<readonly MergeOffer[], readonly Float64Array[]>()
  return {
    requests: sums.map(row),
    allocatablesOf: (offers) => {
      let known = allocatables.get(offers)
      if (known === undefined) {
        known = offers.map(({ allocatable }) => row(allocatable))
        allocatables.set(offers, known)
      }
      return known
    },
  }
}

const fits = (requested: Float64Array, allocatable: Float64Array): boolean =>
  requested.every((asked, column) => asked <= floatAt(allocatable, column))

const fitTogether = (a: Float64Array, b: Float64Array, allocatable: Float64Array): boolean => {
  for (let column = 0; column < allocatable.length; column++) {
    if (floatAt(a, column) + floatAt(b, column) > floatAt(allocatable, column)) return false
  }
  return true
}

/**
 * Yields pairs of nodes that may be removed together. Either neither of them needs a new node, or one new node is large enough for both and
 * costs less than both. Pairs with the highest savings per disruption come first. Compares only amounts and prices, without a what-if. The
 * caller must check whether the pods may share a node, and compute the actual savings. `items` are in the preferred order of removal. Never
 * throws, even if pods have invalid requests.
 */
export function* likelyMerges<Item extends Mergeable>(
  items: readonly Item[],
  least: LeastMerge,
): Steps<readonly (readonly [Item, Item])[]> {
  const looked = items.slice(0, LOOKED_AT)
  const { requests, allocatablesOf } = buildVectors(looked)
  const all = [...looked.keys()]
  const notHeld = all.filter((number) => looked[number]?.isHeldBySpot === false)
  const rates = new Map<number, number>()
  const note = (i: number, j: number, rate: number): void => {
    const key = Math.min(i, j) * looked.length + Math.max(i, j)
    rates.set(key, Math.max(rate, rates.get(key) ?? 0))
  }
  const free = [...looked.entries()].filter(([, { launches }]) => launches === undefined).slice(0, FREE)
  for (const [i, one] of free) {
    for (const [j, other] of free) {
      if (i < j) note(i, j, (one.price + other.price) / (one.disruption + other.disruption))
    }
  }
  let compared = 0
  for (const [i, item] of looked.entries()) {
    const allocatables = allocatablesOf(item.offers)
    const partners = item.isHeldBySpot ? notHeld : all
    for (const [number, offer] of item.offers.entries()) {
      compared++
      if (compared >= PARTNERS_PER_STEP) {
        compared = 0
        yield
      }
      const allocatable = allocatables[number]
      const requested = requests[i]
      if (
        allocatable === undefined ||
        requested === undefined ||
        offer.type === item.typeName ||
        !fits(requested, allocatable)
      )
        continue
      let own = 0
      let others = 0
      for (const j of partners) {
        if (own >= PARTNERS) break
        compared++
        const partner = looked[j]
        if (partner === undefined || j === i || partner.typeName === offer.type) continue
        const isOwn = partner.launches === undefined || partner.launches === item.launches
        if (!isOwn && others >= PARTNERS) continue
        const prices = item.price + partner.price
        const savings = prices - offer.price
        const rate = savings / (item.disruption + partner.disruption)
        if (savings <= 0 || savings < least.share * prices || rate < least.rate) continue
        if (!fitTogether(requested, requests[j] ?? requested, allocatable)) continue
        if (isOwn) own++
        else others++
        note(i, j, rate)
      }
    }
  }
  return [...rates]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .flatMap(([key]) => {
      const one = looked[Math.floor(key / looked.length)]
      const other = looked[key % looked.length]
      return one === undefined || other === undefined ? [] : [[one, other] as const]
    })
}
