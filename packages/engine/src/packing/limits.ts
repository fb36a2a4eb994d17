import { ownValue, tryParseQuantity } from '@kerf/apis'
import { floatAt, intAt, outOfRange, wordAt } from '../column.ts'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import { claimLaunchOptions } from '../instance-types/launch-options.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import type { ClaimId, ConstraintsId } from '../model/ids.ts'
import type { Template } from '../model/template.ts'
import { countsAgainst, type PoolUse } from '../nodes/pool-use.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import type { Amounts } from '../resources/amounts.ts'
import { type Allowance, type Ceilings, ONE } from './ceilings.ts'
import { type LimitedSizes, limitedSizes, rankSizes } from './limited-sizes.ts'

/** A limited resource that the claims of this decision could exhaust. */
interface LimitedResource {
  /** The capacity of each instance type, by its number. */
  readonly capacities: readonly bigint[]
  readonly largest: bigint
  /** The amount that claims may use. The allowance of a ceiling is one object that all pools share. */
  readonly allowance: Allowance
}

/** The smallest set of instance types that a claim must list. It determines how much of the limits the claim uses. */
interface Held {
  readonly types: readonly number[]
  /** An offering of the instance type, if there is only one; -1 with several types. */
  readonly offering: number
  /** The largest capacity of the instance types, by limited resource. */
  readonly amounts: readonly bigint[]
}

interface LimitParts {
  readonly template: Template
  readonly sizes: Pick<LimitedSizes, 'ranks'> | undefined
  readonly resources: readonly LimitedResource[]
  readonly nodes: Allowance | undefined
  readonly ceilings: Ceilings | undefined
}

const NOTHING: Held = { types: [], offering: -1, amounts: [] }

/** An upper bound of the number of launch options of any constraints. */
const MOST_OPTIONS = 2 ** 20

/**
 * Tracks how much of a pool's limits is left (`docs/spec/scheduling.md#limits`). For existing nodes, their capacity is counted. For a new
 * claim, the capacity of the fewest and smallest types that it must list is counted; `written-types.ts` decides later which other types it
 * lists. The limit on `nodes` applies within a decision. Karpenter applies it only between decisions.
 */
export class PoolLimits {
  readonly #template: Template
  readonly #sizes: Pick<LimitedSizes, 'ranks'> | undefined
  readonly #resources: readonly LimitedResource[]
  readonly #ceilings: Ceilings | undefined
  /** The limit on nodes. Like the other limits, the templates of one pool share it. */
  readonly #nodes: Allowance | undefined
  readonly #held = new Map<ClaimId, Held>()
  /** The launch options of constraints, ordered by the size of their instance type. */
  readonly #bySize = new Map<ConstraintsId, Int32Array>()

  private constructor({ template, sizes, resources, nodes, ceilings }: LimitParts) {
    this.#template = template
    this.#sizes = sizes
    this.#resources = resources
    this.#nodes = nodes
    this.#ceilings = ceilings
  }

  /**
   * Returns the limits of all templates before the run opens any claim. `pods` is the maximum number of claims. If this many claims cannot
   * reach a limit and there are no commitments, the limit is not tracked. The capacity of the nodes in `gone` is not counted. The templates
   * of one pool share its limits.
   */
  static ofAll(
    templates: readonly Template[],
    use: PoolUse,
    pods: number,
    gone: readonly ExistingNode[],
    ceilings: Ceilings | undefined,
  ): readonly PoolLimits[] {
    const limited = new Map<string, PoolLimits>()
    return templates.map((template) => {
      if (template.pool.spec.limits === undefined) return PoolLimits.#of(template, use, pods, gone, ceilings, undefined)
      const limits = PoolLimits.#of(template, use, pods, gone, ceilings, limited.get(template.name))
      limited.set(template.name, limits)
      return limits
    })
  }

  /** Returns the limits of one template. `sibling` has the limits of another template of the same pool. */
  static #of(
    template: Template,
    use: PoolUse,
    pods: number,
    gone: readonly ExistingNode[],
    ceilings: Ceilings | undefined,
    sibling: PoolLimits | undefined,
  ): PoolLimits {
    const limited = template.pool.spec.limits
    if (limited === undefined && ceilings === undefined)
      return new PoolLimits({ template, sizes: undefined, resources: [], nodes: undefined, ceilings })
    const leaving = gone.filter(({ state }) => countsAgainst(template.name, state))
    const used = use.get(template.name)
    const sizes = limitedSizes(template)
    const resources: LimitedResource[] = []
    const tracksAll = ceilings?.hasCommitments === true
    let nodesLeft: Allowance | undefined
    for (const [name, text] of Object.entries(limited ?? {})) {
      const limit = tryParseQuantity(text)
      if (limit === undefined) continue
      let remaining = limit - (used?.get(name) ?? 0n)
      for (const { state } of leaving) remaining += name === 'nodes' ? ONE : (ownValue(state.capacity, name) ?? 0n)
      if (name === 'nodes') {
        nodesLeft = sibling?.allowanceFor(name) ?? { name, free: remaining, remaining }
        continue
      }
      const { capacities, largest } = sizes.resource(name)
      if (tracksAll || remaining < largest * BigInt(pods + 1)) {
        const allowance = sibling?.allowanceFor(name) ?? { name, free: remaining, remaining }
        resources.push({ capacities, largest, allowance })
      }
    }
    const own = { template, nodes: nodesLeft, ceilings }
    if (ceilings === undefined) return new PoolLimits({ ...own, sizes, resources })
    const shares = sizes.shares.slice()
    for (const [place, each] of ceilings.sizesOf(template).entries()) {
      const allowance = ceilings.resources[place] ?? outOfRange('ceilings', place)
      // A commitment limits only the templates whose nodes use it.
      if (allowance.isCommitment === true && each.largest === 0n) continue
      for (const [type, share] of each.shares.entries()) shares[type] = Math.max(floatAt(shares, type), share)
      if (allowance.free < each.largest * BigInt(pods + 1)) resources.push({ ...each, allowance })
    }
    return new PoolLimits({ ...own, sizes: { ranks: rankSizes(shares) }, resources })
  }

  /**
   * Returns a copy of the limits as they were before any claim used them. `ceilings` is the copy of the ceilings that all NodePools share.
   * `copies` collects the copied allowances, because the templates of one pool share them.
   */
  #anew(ceilings: Ceilings | undefined, copies: Map<Allowance, Allowance>): PoolLimits {
    const copy = (allowance: Allowance): Allowance => {
      const made = copies.get(allowance) ?? { ...allowance, remaining: allowance.free }
      copies.set(allowance, made)
      return made
    }
    const resources = this.#resources.map(({ allowance, ...sizes }): LimitedResource => {
      const place = this.#ceilings?.resources.indexOf(allowance) ?? -1
      const shared = place < 0 ? undefined : ceilings?.resources[place]
      return { ...sizes, allowance: shared ?? copy(allowance) }
    })
    const nodes = this.#nodes === undefined ? undefined : copy(this.#nodes)
    return new PoolLimits({ template: this.#template, sizes: this.#sizes, nodes, resources, ceilings })
  }

  /** Returns copies of the limits of all templates, as they were before any claim used them. */
  static anew(limits: readonly PoolLimits[], ceilings: Ceilings | undefined): readonly PoolLimits[] {
    const own = ceilings?.anew()
    const copies = new Map<Allowance, Allowance>()
    return limits.map((each) => each.#anew(own, copies))
  }

  /** Returns the allowance of one of the pool's limits; undefined if the limit is not tracked. */
  allowanceFor(name: string): Allowance | undefined {
    if (name === 'nodes') return this.#nodes
    return this.#resources.find((each) => each.allowance.name === name && !this.#isCeiling(each))?.allowance
  }

  get nodesExhausted(): boolean {
    return (this.#nodes !== undefined && this.#nodes.remaining < ONE) || this.#ceilings?.isReached === true
  }

  /** The number of further nodes that the limits on `nodes` allow; infinite if there is no such limit. */
  get nodesLeft(): number {
    const own = this.#nodes === undefined ? Number.POSITIVE_INFINITY : Number(this.#nodes.remaining / ONE)
    const shared = this.#ceilings?.nodes
    return shared === undefined ? own : Math.min(own, Number(shared.remaining / ONE))
  }

  /** Whether a ceiling of the ClusterPolicy refuses every further node, or some instance types of this pool. */
  get isAtCeiling(): boolean {
    return (
      this.#ceilings !== undefined &&
      (this.#ceilings.isReached ||
        this.#resources.some(
          (each) =>
            this.#isCeiling(each) && each.allowance.isCommitment !== true && each.largest > each.allowance.remaining,
        ))
    )
  }

  /** Whether the choice of instance types can exhaust a limit. The limit on `nodes` does not depend on types. */
  get counts(): boolean {
    return this.#resources.length > 0
  }

  /** The capacity that all claims together may have, by limited resource. */
  get free(): readonly bigint[] {
    return this.#resources.map(({ allowance }) => allowance.free)
  }

  /** The capacity that is left, by limited resource. */
  get left(): readonly bigint[] {
    return this.#resources.map(({ allowance }) => allowance.remaining)
  }

  /** Returns the capacity of an instance type, by limited resource. */
  capacityOf(type: number): readonly bigint[] {
    return this.#resources.map(({ capacities }) => capacities[type] ?? outOfRange('capacities of types', type))
  }

  /**
   * Returns the instance types that one more claim may have, as a number of `ClaimConstraintsTable.allow`: 0 for all types, `undefined` for
   * none.
   */
  allowed(constraintsTable: ClaimConstraintsTable): number | undefined {
    if (this.#resources.every(({ largest, allowance }) => largest <= allowance.remaining)) return 0
    const { types, offerings } = this.#template
    const fits = types.map((_, type) =>
      this.#resources.every(
        ({ allowance, capacities }) =>
          (capacities[type] ?? outOfRange('capacities of types', type)) <= allowance.remaining,
      ),
    )
    if (fits.every(Boolean)) return 0
    if (!fits.some(Boolean)) return undefined
    const set = new Uint32Array((offerings.length + 31) >>> 5)
    for (const [index, { type }] of offerings.entries()) {
      if (fits[type] === true) set[index >>> 5] = wordAt(set, index >>> 5) | (1 << (index & 31))
    }
    return constraintsTable.allow(set)
  }

  /**
   * Returns whether the limits permanently prevent an open claim from having these requests. If only one resource is limited, the sum of
   * what the claim uses and what is left never grows. If several are limited, a claim that changes to another instance type may release
   * some capacity, so the limits may allow the requests later. If a ceiling limits the resource, claims of other pools may release capacity
   * too.
   */
  refusesForGood(claim: ClaimId, constraints: ClaimConstraints, used: Float64Array): boolean {
    if (this.#resources.length !== 1 || this.#ceilings !== undefined || this.#template.typeOptions.reserved.length > 0)
      return false
    return this.#least(this.#held.get(claim), constraints, used) === undefined
  }

  /** Returns whether the limits allow at least one instance type that satisfies these constraints and requests of an open claim. */
  mayBecome(claim: ClaimId, constraints: ClaimConstraints, used: Float64Array): boolean {
    return this.#resources.length === 0 || this.#least(this.#held.get(claim), constraints, used) !== undefined
  }

  /** Reserves the minimum that an open or new claim needs. If too little is left, returns false and reserves nothing. */
  take(claim: ClaimId, constraints: ClaimConstraints, used: Float64Array): boolean {
    const shared = this.#ceilings?.nodes
    if (this.#resources.length === 0 && this.#nodes === undefined && shared === undefined) return true
    const before = this.#held.get(claim)
    const after = this.#resources.length === 0 ? NOTHING : this.#least(before, constraints, used)
    if (after === undefined) return false
    if (after === before) return true
    if (before === undefined && this.#nodes !== undefined) this.#nodes.remaining -= ONE
    if (before === undefined && shared !== undefined) shared.remaining -= ONE
    for (const [place, { allowance }] of this.#resources.entries())
      allowance.remaining += (before?.amounts[place] ?? 0n) - (after.amounts[place] ?? 0n)
    this.#held.set(claim, after)
    return true
  }

  /** Returns the smallest set of instance types that a claim must list; `undefined` if no limit applies. */
  typesHeld(claim: ClaimId): readonly number[] | undefined {
    return this.#resources.length === 0 ? undefined : this.#held.get(claim)?.types
  }

  /** Returns the amount that is left of each limit of the pool, for explanations. */
  remaining(): Amounts {
    const own = this.#resources.filter((each) => !this.#isCeiling(each))
    const left = new Map(own.map(({ allowance }) => [allowance.name, allowance.remaining]))
    if (this.#nodes !== undefined) left.set('nodes', this.#nodes.remaining)
    return left
  }

  /**
   * Returns, for explanations, the amounts that are left of the ceilings that refuse every type of this pool. If no ceiling refuses every
   * type, returns the ceilings that refuse some types.
   */
  ceilingsReached(): Amounts {
    const own = this.#resources.filter((each) => this.#isCeiling(each))
    const some = own.filter(({ largest, allowance }) => largest > allowance.remaining)
    const every = some.filter(({ capacities, allowance }) => capacities.every((each) => each > allowance.remaining))
    const nodes = this.#ceilings?.nodes
    const allowances = every.map(({ allowance }) => allowance)
    if (nodes !== undefined && nodes.remaining < ONE) allowances.unshift(nodes)
    const shown = allowances.length > 0 ? allowances : some.map(({ allowance }) => allowance)
    return new Map(shown.map(({ name, remaining }) => [name, remaining]))
  }

  #isCeiling({ allowance }: LimitedResource): boolean {
    return this.#ceilings?.resources.includes(allowance) === true
  }

  /**
   * The allowances that this pool shares with other pools, in the order of `free`. An entry is undefined for a limit that belongs to this
   * pool only.
   */
  get shared(): readonly (Allowance | undefined)[] {
    return this.#resources.map((each) => (this.#isCeiling(each) ? each.allowance : undefined))
  }

  /**
   * Returns the smallest instance types that satisfy these constraints and requests, and that fit into the remaining limits plus the amount
   * that the claim already uses.
   */
  #least(held: Held | undefined, constraints: ClaimConstraints, used: Float64Array): Held | undefined {
    const { index, offerings, hasMinValues } = constraints
    if (held !== undefined && held.offering >= 0 && !hasMinValues) {
      const word = held.offering >>> 5
      const isOpen = (wordAt(offerings, word) & (1 << (held.offering & 31))) !== 0
      if (isOpen && index.fits(held.offering, used)) return held
    }
    const most = this.#resources.map(({ allowance }, place) => allowance.remaining + (held?.amounts[place] ?? 0n))
    const isReserved = mayBeReserved(constraints)
    const types: number[] = []
    for (const offering of this.#inOrderOfSize(constraints)) {
      const { type } = index.template.offerings[offering] ?? outOfRange('offerings', offering)
      if (types.includes(type) || !index.fits(offering, used)) continue
      const isWithin = this.#resources.every(
        ({ capacities }, place) =>
          (capacities[type] ?? outOfRange('capacities of types', type)) <= (most[place] ?? outOfRange('limits', place)),
      )
      if (!isWithin) {
        // A claim with a reservation keeps all of its instance types, so all of them must be within the limits.
        if (isReserved) return undefined
        continue
      }
      types.push(type)
      if (isReserved || (hasMinValues && !this.#reachesMinValues(constraints, types))) continue
      return { types, offering: types.length === 1 ? offering : -1, amounts: this.#largestOf(types) }
    }
    if (!isReserved || types.length === 0 || (hasMinValues && !this.#reachesMinValues(constraints, types)))
      return undefined
    return { types, offering: -1, amounts: this.#largestOf(types) }
  }

  #reachesMinValues({ requirements, index }: ClaimConstraints, types: readonly number[]): boolean {
    const entries = types.map((type) => (index.template.types[type] ?? outOfRange('types', type)).requirements)
    return unmetMinValues(requirements, entries).size === 0
  }

  #largestOf(types: readonly number[]): readonly bigint[] {
    return this.#resources.map(({ capacities }) => largestOf(types.map((type) => capacities[type] ?? 0n)))
  }

  #inOrderOfSize(constraints: ClaimConstraints): Int32Array {
    let bySize = this.#bySize.get(constraints.id)
    if (bySize === undefined) {
      const options = claimLaunchOptions(constraints)
      const { offerings } = constraints.index.template
      const ranks = this.#sizes?.ranks ?? NO_RANKS
      // The key combines the rank with the index in price order, so that sorting needs no comparator.
      const keys = Float64Array.from(options, (offering, place) => {
        const { type } = offerings[offering] ?? outOfRange('offerings', offering)
        return intAt(ranks, type, 'ranks of types') * MOST_OPTIONS + place
      })
      bySize = Int32Array.from(keys.sort(), (key) => intAt(options, key % MOST_OPTIONS))
      this.#bySize.set(constraints.id, bySize)
    }
    return bySize
  }
}

const NO_RANKS = new Int32Array(0)

const largestOf = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => (a > b ? a : b), 0n)

/** Returns whether a claim may be launched into reserved capacity. If it may, its reservations determine its instance types. */
const mayBeReserved = ({ index, offerings }: ClaimConstraints): boolean => {
  const { typeOptions, offerings: all } = index.template
  if (typeOptions.reserved.length === 0) return false
  for (let word = 0; word < offerings.length; word++) {
    let rest = wordAt(offerings, word)
    while (rest !== 0) {
      if (all[(word << 5) + 31 - Math.clz32(rest & -rest)]?.reservation !== undefined) return true
      rest &= rest - 1
    }
  }
  return false
}
