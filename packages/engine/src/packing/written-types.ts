import { outOfRange } from '../column.ts'
import { type ClaimConstraintsTable, forEachBit } from '../instance-types/claim-constraints-table.ts'
import { claimLaunchOptions } from '../instance-types/launch-options.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import type { Allowance } from './ceilings.ts'
import type { PoolLimits } from './limits.ts'
import { SPOT_TYPES, SPOT_ZONES } from './spot-choice.ts'

/**
 * The number of instance types, cheapest first, that a provider usually tries in one request. A longer list has no benefit, and it may
 * contain a very large type.
 */
const USUAL_TYPES = 60

/**
 * Size limits for the instance types that a claim lists after the cheapest one, as multiples of the cheapest type's size. Each step allows
 * larger types.
 */
const FACTORS = [1n, 2n, 4n, 8n] as const
const LEAST = 0
const CHEAPEST = 2
const ALL = CHEAPEST + FACTORS.length + 2

/** The instance types that a claim may list. */
interface Choice {
  /**
   * The instance types that each step adds:
   * - first, the fewest and smallest types that are sufficient
   * - then the types that give a spot node enough choice
   * - then the cheapest type
   * - then, among the sixty cheapest types, those at most one, two, four and eight times as large as the cheapest
   * - finally, all sixty
   */
  readonly steps: readonly (readonly number[])[]
  /**
   * For each step, the largest capacity of the instance types up to that step, by limited resource. The last entry is for all types of the
   * claim.
   */
  readonly amounts: readonly (readonly bigint[])[]
  /** How much cheaper the cheapest of all types is than the cheapest type of the first two steps. */
  readonly saving: number
  /** Whether the claim holds reserved capacity and is not changed. */
  readonly isFixed: boolean
}

/**
 * Returns the claims with as many instance types as the limits of their pools allow. The limits must hold for every choice of types by the
 * cloud (`docs/spec/scheduling.md#limits`). If the limits allow the largest type of every claim, nothing changes. Claims that hold reserved
 * capacity are not changed.
 */
export const withinLimits = (
  limits: readonly PoolLimits[],
  constraintsTable: ClaimConstraintsTable,
  claims: readonly PackedClaim[],
): readonly PackedClaim[] => {
  if (!limits.some(({ counts }) => counts)) return claims
  const written = [...claims]
  const ceilings = new UnusedCeilings(limits)
  for (const [template, pool] of limits.entries()) {
    if (!pool.counts) continue
    const own = claims.flatMap((claim, place) =>
      constraintsTable.get(claim.constraints).index.template.index === template ? [{ claim, place }] : [],
    )
    if (own.length === 0) continue
    const packed = own.map(({ claim }) => claim)
    const choices = new Choices(constraintsTable, pool, ceilings.free(pool, packed))
    if (choices.holdAll(packed)) {
      ceilings.use(pool, packed, choices.largest(packed))
      continue
    }
    const settled = choices.settle(packed)
    ceilings.use(pool, packed, choices.settledAmounts(packed, settled))
    for (const [number, types] of settled.entries()) {
      const entry = own[number]
      if (entry === undefined || types === 'all') continue
      written[entry.place] = { ...entry.claim, constraints: choices.restricted(entry.claim, types) }
    }
  }
  return written
}

/**
 * Tracks the unused part of the ceilings that pools share. At first, each claim is counted with the fewest and smallest types that it must
 * list. After the types of a pool's claims have been chosen, the claims are counted with these types.
 */
class UnusedCeilings {
  readonly #left = new Map<Allowance, bigint>()

  constructor(limits: readonly PoolLimits[]) {
    for (const allowance of limits.flatMap(({ shared }) => shared))
      if (allowance !== undefined) this.#left.set(allowance, allowance.remaining)
  }

  /** Returns the amounts that the claims of a pool may use together, by limited resource of the pool. */
  free(pool: PoolLimits, claims: readonly PackedClaim[]): readonly bigint[] {
    const { free, shared } = pool
    if (this.#left.size === 0) return free
    const held = heldAmounts(pool, claims)
    return free.map((amount, place) => {
      const allowance = shared[place]
      return allowance === undefined ? amount : (this.#left.get(allowance) ?? 0n) + (held[place] ?? 0n)
    })
  }

  /** Records the amounts that the claims of a pool may use with the types that they list. */
  use(pool: PoolLimits, claims: readonly PackedClaim[], amounts: readonly bigint[]): void {
    if (this.#left.size === 0) return
    const held = heldAmounts(pool, claims)
    for (const [place, allowance] of pool.shared.entries()) {
      if (allowance === undefined) continue
      const more = (amounts[place] ?? 0n) - (held[place] ?? 0n)
      this.#left.set(allowance, (this.#left.get(allowance) ?? 0n) - more)
    }
  }
}

/** Returns how much of each limited resource the claims of a pool already use. */
const heldAmounts = (pool: PoolLimits, claims: readonly PackedClaim[]): readonly bigint[] => {
  const sum = pool.free.map(() => 0n)
  for (const { held } of claims) {
    const largest = sum.map(() => 0n)
    for (const type of held ?? []) raise(largest, pool.capacityOf(type))
    add(sum, largest)
  }
  return sum
}

/**
 * Returns the amounts of a pool's limits that a new node uses if it lists its cheapest instance type and, for a spot node, enough other
 * types.
 */
export const cheapAmounts = (
  pool: PoolLimits,
  constraintsTable: ClaimConstraintsTable,
  constraints: PackedClaim['constraints'],
  used: Float64Array,
): readonly bigint[] => {
  const claim = { constraints, used, pods: [], reservations: undefined, held: [] }
  return new Choices(constraintsTable, pool, pool.free).amountsOf(claim, CHEAPEST)
}

/** Chooses the instance types of the claims of one pool. */
class Choices {
  readonly #constraintsTable: ClaimConstraintsTable
  readonly #pool: PoolLimits
  /** The amounts that all claims of the pool may use together, by limited resource. */
  readonly #free: readonly bigint[]
  readonly #known = new Map<string, Choice>()
  readonly #restricted = new Map<string, PackedClaim['constraints']>()

  constructor(constraintsTable: ClaimConstraintsTable, pool: PoolLimits, free: readonly bigint[]) {
    this.#constraintsTable = constraintsTable
    this.#pool = pool
    this.#free = free
  }

  amountsOf(claim: PackedClaim, level: number): readonly bigint[] {
    return this.#choiceOf(claim).amounts[level] ?? []
  }

  /** Returns whether the limits hold even if each claim becomes the largest instance type that its constraints allow. */
  holdAll(claims: readonly PackedClaim[]): boolean {
    return isWithin(this.largest(claims), this.#free)
  }

  /** Returns the total amounts that the claims use if each becomes the largest type that its constraints allow. */
  largest(claims: readonly PackedClaim[]): readonly bigint[] {
    const largest = new Map<number, readonly bigint[]>()
    const sum = this.#free.map(() => 0n)
    for (const { constraints } of claims) {
      let amounts = largest.get(constraints)
      if (amounts === undefined) {
        const types = new Set<number>()
        const { index, offerings } = this.#constraintsTable.get(constraints)
        forEachBit(offerings, (offering) => types.add(typeNumber(index, offering)))
        amounts = this.#largestOf(types)
        largest.set(constraints, amounts)
      }
      add(sum, amounts)
    }
    return sum
  }

  /** Returns the total amounts that the claims use if each becomes the largest of the types that `settle` has chosen for it. */
  settledAmounts(claims: readonly PackedClaim[], settled: readonly (ReadonlySet<number> | 'all')[]): readonly bigint[] {
    const sum = this.#free.map(() => 0n)
    for (const [place, claim] of claims.entries()) {
      const types = settled[place] ?? 'all'
      add(sum, types === 'all' ? this.amountsOf(claim, ALL) : this.#largestOf(types))
    }
    return sum
  }

  /**
   * Returns the instance types of each claim. All claims get the highest step that the limits allow for all of them. If the limits allow no
   * step for all claims, each claim gets as many types as possible.
   */
  settle(claims: readonly PackedClaim[]): readonly (ReadonlySet<number> | 'all')[] {
    const choices = claims.map((claim) => this.#choiceOf(claim))
    const free = this.#free
    // The limits nearly always allow one of the highest steps for all claims.
    for (let level = ALL; level > CHEAPEST; level--) {
      const sum = free.map(() => 0n)
      for (const { amounts } of choices) add(sum, amounts[level] ?? [])
      if (!isWithin(sum, free)) continue
      return choices.map(({ steps, isFixed }) =>
        isFixed || level === ALL ? 'all' : new Set(steps.slice(0, level + 1).flat()),
      )
    }
    return this.#settleTightly(choices)
  }

  /** Distributes the remaining capacity of the limits among the claims, step by step. The claims with the largest saving come first. */
  #settleTightly(choices: readonly Choice[]): readonly (ReadonlySet<number> | 'all')[] {
    const free = this.#free
    const types = choices.map(({ steps }) => new Set(steps[LEAST]))
    const amounts = types.map((own) => this.#largestOf(own))
    const used = free.map(() => 0n)
    for (const own of amounts) add(used, own)
    const bySaving = [...choices.keys()].sort((a, b) => (choices[b]?.saving ?? 0) - (choices[a]?.saving ?? 0) || a - b)
    for (let step = LEAST + 1, hasCapacity = true; step < ALL && (hasCapacity || step <= CHEAPEST); step++) {
      for (const place of bySaving) {
        const own = types[place]
        const before = amounts[place]
        const more = choices[place]?.steps[step] ?? []
        if (own === undefined || before === undefined || more.every((type) => own.has(type))) continue
        const after = this.#largestOf([...own, ...more])
        const total = used.map((sum, resource) => sum - (before[resource] ?? 0n) + (after[resource] ?? 0n))
        if (!isWithin(total, free)) {
          hasCapacity = false
          continue
        }
        for (const type of more) own.add(type)
        amounts[place] = after
        for (const [resource, sum] of total.entries()) used[resource] = sum
      }
    }
    // A type can be listed without using more of the limits if it is not larger than the capacity already counted for the claim.
    for (const [place, { steps, isFixed }] of choices.entries()) {
      for (const type of isFixed ? [] : (steps[ALL - 1] ?? []))
        if (isWithin(this.#pool.capacityOf(type), amounts[place] ?? [])) types[place]?.add(type)
    }
    return choices.map(({ isFixed }, place) => (isFixed ? 'all' : (types[place] ?? 'all')))
  }

  /** Returns the constraints of a claim restricted to these instance types. */
  restricted({ constraints }: PackedClaim, types: ReadonlySet<number>): PackedClaim['constraints'] {
    const text = `${constraints}|${[...types].sort((a, b) => a - b).join()}`
    let to = this.#restricted.get(text)
    if (to === undefined) {
      const { index } = this.#constraintsTable.get(constraints)
      to = this.#constraintsTable.restrict(constraints, (offering) => types.has(typeNumber(index, offering)))
      this.#restricted.set(text, to)
    }
    return to
  }

  #choiceOf(claim: PackedClaim): Choice {
    const text = `${claim.constraints}|${claim.held?.join()}|${claim.reservations?.size ?? 0}|${claim.used.join()}`
    let choice = this.#known.get(text)
    if (choice === undefined) {
      choice = this.#read(claim)
      this.#known.set(text, choice)
    }
    return choice
  }

  #read({ constraints: id, used, held, reservations }: PackedClaim): Choice {
    const constraints = this.#constraintsTable.get(id)
    const byPrice = fittingInOrder(constraints, used)
    const all = new Set(byPrice.map(({ type }) => type))
    if (held === undefined || (reservations?.size ?? 0) > 0) {
      const types = [...all]
      const amounts = Array<readonly bigint[]>(ALL + 1).fill(this.#largestOf(types))
      return { steps: [types], amounts, saving: 0, isFixed: true }
    }
    const [cheapest] = byPrice
    const usual = [...all].slice(0, USUAL_TYPES)
    const forSpot = cheapest?.isSpot === true ? this.#spotTypes(constraints, used, new Set(held)) : []
    const base = cheapest === undefined ? [] : this.#pool.capacityOf(cheapest.type)
    const steps: (readonly number[])[] = [held, forSpot, cheapest === undefined ? [] : [cheapest.type]]
    for (const factor of FACTORS) {
      const most = base.map((amount) => amount * factor)
      steps.push(usual.filter((type) => isWithin(this.#pool.capacityOf(type), most)))
    }
    steps.push(usual)
    const types = new Set<number>()
    const amounts: (readonly bigint[])[] = []
    for (const step of steps) {
      for (const type of step) types.add(type)
      amounts.push(this.#largestOf(types))
    }
    const first = new Set([...held, ...forSpot])
    const saving = (byPrice.find(({ type }) => first.has(type))?.price ?? 0) - (cheapest?.price ?? 0)
    return {
      steps,
      amounts: [...amounts, this.#largestOf(all)],
      saving: Number.isFinite(saving) ? saving : 0,
      isFixed: false,
    }
  }

  /** Returns the smallest instance types that give a spot node enough types and zones to choose from. */
  #spotTypes(constraints: ClaimConstraints, used: Float64Array, least: ReadonlySet<number>): readonly number[] {
    const { index, offerings } = constraints
    const zonesOf = new Map<number, Set<string>>()
    forEachBit(offerings, (number) => {
      const offering = index.template.offerings[number]
      if (offering?.capacityType !== 'spot' || !index.fits(number, used)) return
      const zones = zonesOf.get(offering.type) ?? new Set()
      zones.add(offering.zone)
      zonesOf.set(offering.type, zones)
    })
    const typeSize = (type: number): readonly bigint[] => this.#pool.capacityOf(type)
    const bySize = [...zonesOf.keys()].sort((a, b) => compare(typeSize(a), typeSize(b)))
    const chosen = [...zonesOf.keys()].filter((type) => least.has(type))
    const zones = new Set(chosen.flatMap((type) => [...(zonesOf.get(type) ?? [])]))
    for (const type of bySize) {
      if (chosen.length >= SPOT_TYPES && zones.size >= SPOT_ZONES) break
      if (chosen.includes(type)) continue
      const own = zonesOf.get(type) ?? new Set<string>()
      const bringsZone = [...own].some((zone) => !zones.has(zone))
      if (chosen.length >= SPOT_TYPES && !bringsZone) continue
      chosen.push(type)
      for (const zone of own) zones.add(zone)
    }
    return chosen
  }

  #largestOf(types: Iterable<number>): readonly bigint[] {
    const largest = this.#free.map(() => 0n)
    for (const type of types) raise(largest, this.#pool.capacityOf(type))
    return largest
  }
}

interface FittingType {
  readonly type: number
  readonly price: number
  readonly isSpot: boolean
}

/** Returns the instance types that a claim with these requests may be, each with its cheapest offering, in price order. */
const fittingInOrder = (constraints: ClaimConstraints, used: Float64Array): readonly FittingType[] => {
  const { index } = constraints
  const seen = new Set<number>()
  const found: FittingType[] = []
  for (const number of claimLaunchOptions(constraints)) {
    const offering = index.template.offerings[number] ?? outOfRange('offerings', number)
    if (seen.has(offering.type) || !index.fits(number, used)) continue
    seen.add(offering.type)
    found.push({ type: offering.type, price: offering.price, isSpot: offering.capacityType === 'spot' })
  }
  return found
}

const typeNumber = ({ template }: ClaimConstraints['index'], offering: number): number =>
  (template.offerings[offering] ?? outOfRange('offerings', offering)).type

/** Raises each amount in `largest` to the corresponding amount of another type, if that is larger. */
const raise = (largest: bigint[], amounts: readonly bigint[]): void => {
  for (const [resource, amount] of amounts.entries()) if (amount > (largest[resource] ?? 0n)) largest[resource] = amount
}

const add = (sum: bigint[], amounts: readonly bigint[]): void => {
  for (const [resource, amount] of amounts.entries()) sum[resource] = (sum[resource] ?? 0n) + amount
}

const isWithin = (amounts: readonly bigint[], most: readonly bigint[]): boolean =>
  amounts.every((amount, resource) => amount <= (most[resource] ?? 0n))

/** Compares two lists by the first resource with different amounts. The list with the smaller amount comes first. */
const compare = (a: readonly bigint[], b: readonly bigint[]): number => {
  for (const [resource, amount] of a.entries()) {
    const other = b[resource] ?? 0n
    if (amount !== other) return amount < other ? -1 : 1
  }
  return 0
}
