import { floatAt } from '../column.ts'
import type { DeviceAllocation } from '../devices/device-allocation.ts'
import { fittingTypes } from '../instance-types/fitting-types.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { EquivalenceGroup, Variant } from '../model/equivalence-group.ts'
import { type ClaimId, type ConstraintsId, hostOfClaim } from '../model/ids.ts'
import type { Problem } from '../problem/problem.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import type { TopologyCounts } from '../topology/topology-counts.ts'
import type { ClaimTable } from './claim-table.ts'
import type { PoolLimits } from './limits.ts'
import { Narrowing } from './narrowing.ts'
import type { Reservations } from './reservations.ts'

/** The state of the decision that a trial reads. */
interface TrialDeps {
  readonly claims: ClaimTable
  readonly counts: TopologyCounts
  readonly reservations: Reservations
  readonly devices: DeviceAllocation | undefined
  /** The limits of each template's pool, by the number of the template. */
  readonly limits: readonly PoolLimits[]
}

/**
 * Decides whether an open or new claim can take one more pod, and computes the claim's constraints with that pod. Checks requirements, the
 * size of instance types, the pod's devices, `minValues`, and reservations. At the start of a trial, the requests of the claim and the pod
 * are added up. This total is valid until the next trial.
 */
export class ClaimTrial {
  readonly #problem: Problem
  readonly #claims: ClaimTable
  readonly #reservations: Reservations
  readonly #devices: DeviceAllocation | undefined
  readonly #limits: readonly PoolLimits[]
  /** The host number of the first claim. */
  readonly #firstHost: number
  readonly #narrowing: Narrowing
  /** The total requests of the claim that is being tried, including the new pod. */
  readonly #total: Float64Array

  constructor(problem: Problem, { claims, counts, reservations, devices, limits }: TrialDeps) {
    this.#problem = problem
    this.#claims = claims
    this.#reservations = reservations
    this.#devices = devices
    this.#limits = limits
    this.#firstHost = problem.nodes.length
    this.#narrowing = new Narrowing(problem.constraintsTable, counts)
    this.#total = new Float64Array(claims.width)
  }

  /** The total requests of the claim that is being tried, including the new pod. */
  get total(): Float64Array {
    return this.#total
  }

  /** Discards the results that were cached for the previous pod. */
  begin(): void {
    this.#narrowing.begin()
  }

  /** Returns the constraints narrowed by the pod's requirements, its first volume alternative, and the best choice of domains. */
  narrowed(from: ConstraintsId, variant: Variant, equivalenceGroup: EquivalenceGroup): ConstraintsId {
    return this.#narrowing.best(from, variant, equivalenceGroup, 0)
  }

  /** Starts a trial in which an open claim takes a pod that requests `row`. */
  join(claim: ClaimId, row: Float64Array): void {
    const { width, used } = this.#claims
    const start = claim * width
    for (let column = 0; column < width; column++)
      this.#total[column] = floatAt(used, start + column, 'requests of claims') + floatAt(row, column)
  }

  /** Returns whether some instance type that the constraints allow is large enough for the total. */
  fits(constraintsId: ConstraintsId): boolean {
    const { front, frontSize } = this.#problem.constraintsTable.get(constraintsId)
    const { width } = this.#claims
    for (let place = 0; place < frontSize; place++) {
      let column = 0
      while (column < width && floatAt(this.#total, column) <= floatAt(front, place * width + column)) column++
      if (column === width) return true
    }
    return false
  }

  /** Returns whether the pool's limits permanently prevent the open claim from taking the pod. */
  isPastLimits(constraintsId: ConstraintsId, claim: ClaimId): boolean {
    const constraints = this.#problem.constraintsTable.get(constraintsId)
    return this.#limits[constraints.index.template.index]?.refusesForGood(claim, constraints, this.#total) ?? false
  }

  /** Returns the constraints that the claim will have with the pod, or `NO_CONSTRAINTS` if it cannot take the pod. */
  joined(from: ConstraintsId, variant: Variant, equivalenceGroup: EquivalenceGroup, claim: ClaimId): ConstraintsId {
    const alternatives = Math.max(1, equivalenceGroup.volumeAlternatives.length)
    for (let alternative = 0; alternative < alternatives; alternative++) {
      const base =
        equivalenceGroup.devices === undefined
          ? from
          : this.#withDevices(from, variant, equivalenceGroup, alternative, claim)
      if (base === NO_CONSTRAINTS) continue
      const to = this.#narrowing.best(base, variant, equivalenceGroup, alternative)
      if (to !== NO_CONSTRAINTS && this.fits(to) && this.#isKept(to, claim) && this.#isWithinLimits(to, claim))
        return to
    }
    return NO_CONSTRAINTS
  }

  /**
   * Returns the constraints of a new claim with the pod. Tries each volume alternative and each allowed domain, the best first. Returns
   * `deferred` if only reserved capacity fits the pod and other claims hold all of it.
   */
  opened(root: ConstraintsId, variant: Variant, equivalenceGroup: EquivalenceGroup): ConstraintsId | 'deferred' {
    this.#total.set(equivalenceGroup.row)
    const alternatives = Math.max(1, equivalenceGroup.volumeAlternatives.length)
    for (let alternative = 0; alternative < alternatives; alternative++) {
      const { nextId } = this.#claims
      const base =
        equivalenceGroup.devices === undefined
          ? root
          : this.#withDevices(root, variant, equivalenceGroup, alternative, nextId)
      if (base === NO_CONSTRAINTS) continue
      // The best choice usually works, so it is tried before the other choices are computed. `all` contains it too.
      const best = this.#narrowing.best(base, variant, equivalenceGroup, alternative)
      const first = best === NO_CONSTRAINTS ? NO_CONSTRAINTS : this.#constraintsOfNew(best)
      if (first !== NO_CONSTRAINTS) return first
      for (const candidate of this.#narrowing.all(base, variant, equivalenceGroup, alternative)) {
        const constraints = candidate === best ? NO_CONSTRAINTS : this.#constraintsOfNew(candidate)
        if (constraints !== NO_CONSTRAINTS) return constraints
      }
    }
    return NO_CONSTRAINTS
  }

  /** Takes devices and reservations for the claim, which now has these constraints. */
  settle(claim: ClaimId, constraintsId: ConstraintsId, equivalenceGroup: EquivalenceGroup): void {
    if (this.#devices !== undefined) this.#settleDevices(this.#devices, claim, constraintsId, equivalenceGroup)
    if (!this.#reservations.isUsed) return
    const verdict = this.#reservations.verdict(claim, this.#problem.constraintsTable.get(constraintsId), this.#total)
    if (verdict !== 'refused') this.#reservations.hold(claim, verdict)
  }

  /** Returns the constraints, restricted to instance types and domains that can provide the pod's devices. */
  #withDevices(
    from: ConstraintsId,
    variant: Variant,
    equivalenceGroup: EquivalenceGroup,
    alternative: number,
    claim: ClaimId,
  ): ConstraintsId {
    const joined = this.#narrowing.joined(from, variant, equivalenceGroup, alternative)
    if (joined === NO_CONSTRAINTS || this.#devices === undefined || equivalenceGroup.devices === undefined)
      return joined
    const isOpen = claim < this.#claims.size
    return this.#devices.narrow(
      hostOfClaim(this.#firstHost, claim),
      equivalenceGroup.devices,
      joined,
      this.#total,
      isOpen,
    )
  }

  /** Takes a pod's devices for a claim, and releases devices of instance types that the claim can no longer have. */
  #settleDevices(
    devices: DeviceAllocation,
    claim: ClaimId,
    constraintsId: ConstraintsId,
    equivalenceGroup: EquivalenceGroup,
  ): void {
    const target = hostOfClaim(this.#firstHost, claim)
    if (equivalenceGroup.devices === undefined && !devices.holds(target)) return
    const types = fittingTypes(this.#problem.constraintsTable.get(constraintsId), this.#total).map(
      ({ type }) => type.name,
    )
    devices.keep(target, types)
    if (equivalenceGroup.devices !== undefined) devices.commit(target, types)
  }

  /** Returns whether the claim keeps enough offerings for `minValues` and its reservations. */
  #isKept(constraintsId: ConstraintsId, claim: ClaimId): boolean {
    const constraints = this.#problem.constraintsTable.get(constraintsId)
    if (constraints.hasMinValues) {
      const types = fittingTypes(constraints, this.#total).map((type) => type.requirements)
      if (types.length === 0 || unmetMinValues(constraints.requirements, types).size > 0) return false
    }
    if (!this.#reservations.isUsed) return true
    return this.#reservations.verdict(claim, constraints, this.#total) !== 'refused'
  }

  /** Returns the final constraints of a new claim, if the pod fits the candidate constraints. */
  #constraintsOfNew(candidate: ConstraintsId): ConstraintsId | 'deferred' {
    if (!this.fits(candidate)) return NO_CONSTRAINTS
    const constraints = this.#withMinValues(candidate)
    if (constraints === NO_CONSTRAINTS || !this.#reservations.isUsed) return constraints
    const verdict = this.#reservations.verdict(undefined, this.#problem.constraintsTable.get(constraints), this.#total)
    return verdict === 'refused' ? 'deferred' : constraints
  }

  /** Returns whether the pool's limits allow an instance type for the open claim that is large enough for the total. */
  #isWithinLimits(constraintsId: ConstraintsId, claim: ClaimId): boolean {
    const constraints = this.#problem.constraintsTable.get(constraintsId)
    return this.#limits[constraints.index.template.index]?.mayBecome(claim, constraints, this.#total) ?? true
  }

  /**
   * Returns the constraints of a new claim if its instance types satisfy `minValues`. With the policy `BestEffort` it lowers `minValues` to
   * what the types provide.
   */
  #withMinValues(constraintsId: ConstraintsId): ConstraintsId {
    const { constraintsTable, options } = this.#problem
    const constraints = constraintsTable.get(constraintsId)
    if (!constraints.hasMinValues) return constraintsId
    const types = fittingTypes(constraints, this.#total).map((type) => type.requirements)
    const unmet = unmetMinValues(constraints.requirements, types)
    if (unmet.size === 0) return types.length > 0 ? constraintsId : NO_CONSTRAINTS
    if (options.minValuesPolicy !== 'BestEffort') return NO_CONSTRAINTS
    let relaxed = constraintsId
    for (const [key, reached] of unmet) {
      relaxed = constraintsTable.replace(relaxed, constraints.requirements.get(key).withMinValues(reached))
    }
    return relaxed
  }
}
