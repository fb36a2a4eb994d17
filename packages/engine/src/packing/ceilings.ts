import { ownValue } from '@kerf/apis'
import { commitmentResource, fullPrice } from '../instance-types/prepaid-types.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import { UNKNOWN_PRICE } from '../model/instance-type-options.ts'
import type { Template } from '../model/template.ts'
import { type CeilingHeadroom, type ClusterSnapshot, HOURLY_COST, NODES, type NodeState } from '../snapshot.ts'

export const ONE = 1_000_000_000n
/** A cost above any ceiling. It is used for offerings with an unknown price, so that they never fit below a ceiling in US dollars. */
const UNKNOWN_COST = 10n ** 30n

/** How much of one resource new nodes may use. `remaining` is the amount that the claims so far have not used. */
export interface Allowance {
  readonly name: string
  /** Whether the allowance comes from a commitment. If a commitment is used up, Kerf may still launch nodes that do not use it. */
  readonly isCommitment?: boolean
  readonly free: bigint
  remaining: bigint
}

/** The capacity of each instance type of a template for one resource, and its share of the allowance. */
export interface CeilingSizes {
  readonly capacities: readonly bigint[]
  readonly largest: bigint
  readonly shares: Float64Array
}

const isCounted = ({ nodePool, markedForDeletion }: NodeState): boolean => nodePool !== undefined && !markedForDeletion

/** Returns how much of a ceiling a node uses, in billionths: 0 if it has no NodePool or is being removed. */
export const usedOfCeiling = (name: string, node: NodeState, prices: CeilingHeadroom['prices']): bigint => {
  if (!isCounted(node)) return 0n
  if (name === NODES) return ONE
  return (name === HOURLY_COST ? prices?.get(node.name) : ownValue(node.capacity, name)) ?? 0n
}

/**
 * The ceilings of the ClusterPolicy during one run (`docs/spec/policies.md#ceilings`). All NodePools subtract from the same allowances, so
 * the claims of one decision together never exceed a ceiling.
 */
export class Ceilings {
  /** The allowances, except the one for the number of nodes. */
  readonly resources: readonly Allowance[]
  readonly nodes: Allowance | undefined
  readonly #known: Map<Template, readonly CeilingSizes[]>

  private constructor(allowances: Iterable<Allowance>, known = new Map<Template, readonly CeilingSizes[]>()) {
    const all = [...allowances]
    this.resources = all.filter(({ name }) => name !== NODES)
    this.nodes = all.find(({ name }) => name === NODES)
    this.#known = known
  }

  /**
   * Returns the ceilings and commitments of a snapshot before the run opens any claim, or undefined if the snapshot has none. Commitment
   * capacity that is used by nodes in `gone`, or by nodes that are being removed, is available to new nodes.
   */
  static within(
    { ceilings, commitments = [], nodes }: ClusterSnapshot,
    gone: readonly ExistingNode[],
  ): Ceilings | undefined {
    const limited = ceilings && Ceilings.of(ceilings, gone)
    if (commitments.length === 0) return limited
    const leaving = new Set(gone.map(({ state }) => state.name))
    const staying = nodes.filter(({ name, markedForDeletion }) => !markedForDeletion && !leaving.has(name))
    const prepaid = commitments.map(({ name, free, uses }): Allowance => {
      const total = [...uses.values()].reduce((sum, { units }) => sum + units, free)
      const all = staying.reduce((rest, state) => rest - (uses.get(state.name)?.units ?? 0n), total)
      return { name: commitmentResource(name), free: all, remaining: all, isCommitment: true }
    })
    return new Ceilings([...(limited === undefined ? [] : limited.#all), ...prepaid])
  }

  /**
   * Returns the ceilings before the run opens any claim. `surge` is the number of replacement nodes that may exceed a ceiling. A what-if
   * may therefore reuse the capacity of up to `surge` nodes of `gone`.
   */
  static of({ free, surge, prices }: CeilingHeadroom, gone: readonly ExistingNode[] = []): Ceilings {
    const replaced = gone.filter(({ state }) => isCounted(state)).slice(0, Math.max(0, surge))
    const released = (name: string): bigint =>
      replaced.reduce((sum, { state }) => sum + usedOfCeiling(name, state, prices), 0n)
    return new Ceilings(
      Array.from(free, ([name, amount]) => {
        const all = amount + released(name)
        return { name, free: all, remaining: all }
      }),
    )
  }

  /** Returns a copy of the ceilings as they were before any claim used them. */
  anew(): Ceilings {
    return new Ceilings(
      this.#all.map((allowance) => ({ ...allowance, remaining: allowance.free })),
      this.#known,
    )
  }

  /** Returns how much of each allowance in `resources` each type of a template uses. */
  sizesOf(template: Template): readonly CeilingSizes[] {
    let sizes = this.#known.get(template)
    if (sizes === undefined) {
      sizes = this.resources.map(({ name, free }) => readSizes(template, name, free))
      this.#known.set(template, sizes)
    }
    return sizes
  }

  get #all(): readonly Allowance[] {
    return this.nodes === undefined ? this.resources : [...this.resources, this.nodes]
  }

  /** Whether there are commitments. */
  get hasCommitments(): boolean {
    return this.resources.some(({ isCommitment }) => isCommitment === true)
  }

  /** Whether a ceiling refuses every further node. */
  get isReached(): boolean {
    return this.nodes !== undefined && this.nodes.remaining < ONE
  }
}

const readSizes = (template: Template, name: string, free: bigint): CeilingSizes => {
  const capacities =
    name === HOURLY_COST
      ? highestPrices(template)
      : template.types.map(({ type }) => ownValue(type.capacity, name) ?? 0n)
  const shares = Float64Array.from(capacities, (capacity) =>
    capacity === 0n ? 0 : free <= 0n ? Number.MAX_VALUE : Number(capacity) / Number(free),
  )
  return { capacities, largest: capacities.reduce((a, b) => (a > b ? a : b), 0n), shares }
}

/**
 * Returns the highest price of each type, because the cloud may launch any offering that a claim allows. For nodes that a commitment
 * covers, this is the full price.
 */
const highestPrices = ({ types, offerings, commitment }: Template): readonly bigint[] => {
  const highest = types.map(() => 0n)
  for (const { type, price } of offerings) {
    const full = commitment === undefined ? price : fullPrice(price)
    const cost = hourlyCost(full === UNKNOWN_PRICE ? undefined : full)
    if (cost > (highest[type] ?? 0n)) highest[type] = cost
  }
  return highest
}

/** Returns a price in billionths of US dollars, rounded up. An unknown price is higher than every ceiling. */
export const hourlyCost = (price: number | undefined): bigint =>
  price === undefined ? UNKNOWN_COST : BigInt(Math.ceil(price * 1e9))
