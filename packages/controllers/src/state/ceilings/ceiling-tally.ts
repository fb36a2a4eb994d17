import { labels, type NodeClaim } from '@kerf/apis'
import { type CeilingHeadroom, HOURLY_COST, type InstanceType, labelledPrice, type NodeState } from '@kerf/engine'
import { type CeilingAmounts, claimAmounts, nodeAmounts, type PolicyCeilings, runningPrice } from './ceiling-amounts.ts'

/** How much of the ceilings nodes use, and how much more may be launched. */
export interface CeilingUse {
  readonly used: CeilingAmounts
  readonly free: CeilingAmounts
  /** The number of replacement nodes that may exceed the ceilings. */
  readonly surge: number
}

/** A node, or a claim that may become one. */
interface Counted {
  readonly name: string
  readonly amounts: CeilingAmounts
  /** The price of the node. Absent for a claim, and if there is no ceiling on the price. */
  readonly price?: bigint
}

/** Returns the instance types of a NodePool by name. */
export type TypesOf = (nodePool: string) => ReadonlyMap<string, InstanceType>

/** Returns the key of a claim. It differs from every provider ID and from every name of a node. */
export const claimKey = (name: string): string => `claim/${name}`

const byName = (a: Counted, b: Counted): number => (a.name < b.name ? -1 : 1)

/**
 * Sums how much of the ceilings nodes and claims use (`docs/spec/policies.md#ceilings`). The cost of processing a change of one node does
 * not depend on the size of the cluster. The cost of reading the sum depends only on the number of nodes that are being removed.
 */
export class CeilingTally {
  readonly ceilings: PolicyCeilings
  readonly #typesOf: TypesOf
  /** All nodes and claims. The caller chooses the keys. */
  readonly #counted = new Map<string, Counted>()
  readonly #leaving = new Map<string, Counted>()
  readonly #used: Map<string, bigint>

  constructor(ceilings: PolicyCeilings, typesOf: TypesOf) {
    this.ceilings = ceilings
    this.#typesOf = typesOf
    this.#used = new Map(Array.from(ceilings.most.keys(), (name) => [name, 0n]))
  }

  /**
   * Adds a node to the tally, or replaces its entry. Ignores nodes without a NodePool. `unlaunched` is the claim of a node whose instance
   * is not known yet.
   */
  putNode(key: string, view: NodeState, unlaunched?: NodeClaim): void {
    this.delete(key)
    const { name, nodePool, labels: own, capacity, markedForDeletion } = view
    if (nodePool === undefined) return
    const hasPrice = this.ceilings.most.has(HOURLY_COST)
    const price = hasPrice ? runningPrice(labelledPrice(own, this.#typesOf(nodePool))) : 0n
    const amounts =
      unlaunched === undefined ? nodeAmounts(this.ceilings, capacity, price) : this.largestAmounts(unlaunched)
    const counted = { name, amounts, ...(hasPrice ? { price } : {}) }
    this.#put(key, counted)
    if (markedForDeletion) this.#leaving.set(key, counted)
  }

  /** Adds a claim whose instance is not known yet. Its key is `claimKey(name)`. */
  putClaim(name: string, amounts: CeilingAmounts): void {
    this.delete(claimKey(name))
    this.#put(claimKey(name), { name, amounts })
  }

  #put(key: string, counted: Counted): void {
    this.#counted.set(key, counted)
    this.#add(counted, 1n)
  }

  /** Removes a node or claim from the tally. */
  delete(key: string): void {
    const counted = this.#counted.get(key)
    if (counted === undefined) return
    this.#counted.delete(key)
    this.#leaving.delete(key)
    this.#add(counted, -1n)
  }

  #add({ amounts }: Counted, sign: 1n | -1n): void {
    for (const [name, amount] of amounts) this.#used.set(name, (this.#used.get(name) ?? 0n) + sign * amount)
  }

  /** Returns the most that the instance of a claim may use, with any of its types and offerings. */
  largestAmounts(claim: NodeClaim): CeilingAmounts {
    return claimAmounts(this.ceilings, claim, this.#typesOf(claim.metadata.labels?.[labels.nodePool] ?? '').values())
  }

  /**
   * Returns the use of the ceilings (`docs/spec/policies.md#replacements`). Some nodes do not count, at most as many as the surge: first
   * the nodes that are being removed, then the nodes with the keys `replaced`, in both cases in the order of their names.
   */
  use(replaced: readonly string[] = []): CeilingUse {
    const { most, surge } = this.ceilings
    const replacing = [...new Set(replaced)].flatMap((key) => {
      const counted = this.#leaving.has(key) ? undefined : this.#counted.get(key)
      return counted === undefined ? [] : [counted]
    })
    const released = [...[...this.#leaving.values()].sort(byName), ...replacing.sort(byName)].slice(0, surge)
    const used = new Map(this.#used)
    for (const { amounts } of released)
      for (const [name, amount] of amounts) used.set(name, (used.get(name) ?? 0n) - amount)
    const free = new Map(Array.from(most, ([name, amount]) => [name, amount - (used.get(name) ?? 0n)]))
    return { used, free, surge: surge - released.length }
  }

  /** Returns how much capacity below the ceilings a decision may launch. */
  headroom(): CeilingHeadroom {
    const { most } = this.ceilings
    const { free, surge } = this.use()
    if (!most.has(HOURLY_COST)) return { most, free, surge }
    const prices = new Map<string, bigint>()
    for (const { name, price } of this.#counted.values()) if (price !== undefined) prices.set(name, price)
    return { most, free, surge, prices }
  }
}
