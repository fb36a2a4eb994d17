import { labels, type NodeClaim } from '@kerf/apis'
import { type CeilingHeadroom, HOURLY_COST, type InstanceType, labelledPrice, type NodeState } from '@kerf/engine'
import { type CeilingAmounts, claimAmounts, nodeAmounts, type PolicyCeilings, runningPrice } from './ceiling-amounts.ts'

/** How much of the ceilings nodes use, and how much further nodes may use. */
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
  /** The price of a node. Absent for a claim, or if there is no ceiling on the price. */
  readonly price?: bigint
}

/** Returns the instance types of a NodePool by name. */
export type TypesOf = (nodePool: string) => ReadonlyMap<string, InstanceType>

/** Returns the key of a claim. It differs from every provider ID and from every name of a node. */
export const claimKey = (name: string): string => `claim/${name}`

const byName = (a: Counted, b: Counted): number => (a.name < b.name ? -1 : 1)

/**
 * Adds up how much nodes and claims use of the ceilings (`docs/spec/policies.md#ceilings`). Processing the change of one node takes the
 * same time in a small and in a large cluster. Reading the sum takes longer only if more nodes are being removed.
 */
export class CeilingTally {
  readonly ceilings: PolicyCeilings
  readonly #typesOf: TypesOf
  /** All nodes and claims, by the key that the caller chose. */
  readonly #counted = new Map<string, Counted>()
  readonly #leaving = new Map<string, Counted>()
  readonly #used: Map<string, bigint>

  constructor(ceilings: PolicyCeilings, typesOf: TypesOf) {
    this.ceilings = ceilings
    this.#typesOf = typesOf
    this.#used = new Map(Array.from(ceilings.most.keys(), (name) => [name, 0n]))
  }

  /**
   * Adds a node to the sum, or replaces its entry. Ignores nodes that belong to no NodePool. `unlaunched` is the claim of a node whose
   * instance is not known yet.
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

  /** Returns the most that the instance of a claim may use, whichever of its types and offerings the cloud launches. */
  largestAmounts(claim: NodeClaim): CeilingAmounts {
    return claimAmounts(this.ceilings, claim, this.#typesOf(claim.metadata.labels?.[labels.nodePool] ?? '').values())
  }

  /**
   * Returns the use of the ceilings (`docs/spec/policies.md#replacements`). As many leaving nodes as the surge allows do not count: first
   * the nodes that are being removed, then the nodes with the keys `replaced`, each in the order of their names.
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

  /** Returns how much a decision may launch below the ceilings. */
  headroom(): CeilingHeadroom {
    const { free, surge } = this.use()
    if (!this.ceilings.most.has(HOURLY_COST)) return { free, surge }
    const prices = new Map<string, bigint>()
    for (const { name, price } of this.#counted.values()) if (price !== undefined) prices.set(name, price)
    return { free, surge, prices }
  }
}
