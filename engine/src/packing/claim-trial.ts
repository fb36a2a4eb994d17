import { floatAt } from '../column.ts'
import type { DeviceAllocation } from '../devices/device-allocation.ts'
import { fittingTypes } from '../instance-types/fitting-types.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import { type ClaimId, type ConstraintsId, hostOfClaim } from '../model/ids.ts'
import type { PodGroup, Variant } from '../model/pod-group.ts'
import type { Problem } from '../problem/problem.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import type { TopologyCounts } from '../topology/topology-counts.ts'
import type { ClaimTable } from './claim-table.ts'
import type { PoolLimits } from './limits.ts'
import { Narrowing } from './narrowing.ts'
import type { Reservations } from './reservations.ts'

/** What a trial is held to, beside the world. */
interface TrialParts {
  readonly claims: ClaimTable
  readonly counts: TopologyCounts
  readonly reservations: Reservations
  readonly devices: DeviceAllocation | undefined
  /** By template. */
  readonly limits: readonly PoolLimits[]
}

/**
 * Whether a claim, open or new, can take one more pod, and the constraints it would have then: narrowed, with a type that is
 * large enough, the pod's devices, `minValues` and reservations. A trial begins with what the claim's pods would ask for
 * together, which holds until the next one.
 */
export class ClaimTrial {
  readonly #problem: Problem
  readonly #claims: ClaimTable
  readonly #reservations: Reservations
  readonly #devices: DeviceAllocation | undefined
  readonly #limits: readonly PoolLimits[]
  /** The number among hosts of the first claim. */
  readonly #firstHost: number
  readonly #narrowing: Narrowing
  /** What the pods of the claim on trial ask for together. */
  readonly #total: Float64Array

  constructor(problem: Problem, { claims, counts, reservations, devices, limits }: TrialParts) {
    this.#problem = problem
    this.#claims = claims
    this.#reservations = reservations
    this.#devices = devices
    this.#limits = limits
    this.#firstHost = problem.nodes.length
    this.#narrowing = new Narrowing(problem.constraintsTable, counts)
    this.#total = new Float64Array(claims.width)
  }

  /** What the pods of the claim on trial ask for together, the new one included. */
  get total(): Float64Array {
    return this.#total
  }

  /** Forgets what was found out for the pod before. */
  begin(): void {
    this.#narrowing.begin()
  }

  /** The state after requirements, the first alternative of volumes, and the best choice of domains. */
  narrowed(from: ConstraintsId, variant: Variant, podGroup: PodGroup): ConstraintsId {
    return this.#narrowing.best(from, variant, podGroup, 0)
  }

  /** Puts an open claim on trial with a pod that asks for `row`. */
  join(claim: ClaimId, row: Float64Array): void {
    const { width, used } = this.#claims
    const start = claim * width
    for (let column = 0; column < width; column++)
      this.#total[column] = floatAt(used, start + column, 'requests of claims') + floatAt(row, column)
  }

  /** Whether some type that the constraints allow is large enough. */
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

  /** Whether the limits of its pool keep the open claim on trial from the pod for good. */
  isPastLimits(constraintsId: ConstraintsId, claim: ClaimId): boolean {
    const constraints = this.#problem.constraintsTable.get(constraintsId)
    return this.#limits[constraints.index.template.index]?.refusesForGood(claim, constraints, this.#total) ?? false
  }

  /** The state that the claim on trial would be in with the pod, or `NO_CONSTRAINTS` if that cannot be. */
  joined(from: ConstraintsId, variant: Variant, podGroup: PodGroup, claim: ClaimId): ConstraintsId {
    const alternatives = Math.max(1, podGroup.volumeAlternatives.length)
    for (let alternative = 0; alternative < alternatives; alternative++) {
      const base =
        podGroup.devices === undefined ? from : this.#withDevices(from, variant, podGroup, alternative, claim)
      if (base === NO_CONSTRAINTS) continue
      const to = this.#narrowing.best(base, variant, podGroup, alternative)
      if (to !== NO_CONSTRAINTS && this.fits(to) && this.#isKept(to, claim) && this.#isWithinLimits(to, claim))
        return to
    }
    return NO_CONSTRAINTS
  }

  /**
   * The state of a new claim with the pod: each alternative of its volumes, each domain its topology allows, best first.
   * `deferred`: reserved capacity would serve the pod but is taken.
   */
  opened(root: ConstraintsId, variant: Variant, podGroup: PodGroup): ConstraintsId | 'deferred' {
    this.#total.set(podGroup.row)
    const alternatives = Math.max(1, podGroup.volumeAlternatives.length)
    for (let alternative = 0; alternative < alternatives; alternative++) {
      const { nextId } = this.#claims
      const base =
        podGroup.devices === undefined ? root : this.#withDevices(root, variant, podGroup, alternative, nextId)
      if (base === NO_CONSTRAINTS) continue
      // The best choice is the first of all, and mostly good.
      const best = this.#narrowing.best(base, variant, podGroup, alternative)
      const first = best === NO_CONSTRAINTS ? NO_CONSTRAINTS : this.#constraintsOfNew(best)
      if (first !== NO_CONSTRAINTS) return first
      for (const candidate of this.#narrowing.all(base, variant, podGroup, alternative)) {
        const constraints = candidate === best ? NO_CONSTRAINTS : this.#constraintsOfNew(candidate)
        if (constraints !== NO_CONSTRAINTS) return constraints
      }
    }
    return NO_CONSTRAINTS
  }

  /** Takes devices and reservations for the claim on trial, which is in this state with the pod now. */
  settle(claim: ClaimId, constraintsId: ConstraintsId, podGroup: PodGroup): void {
    if (this.#devices !== undefined) this.#settleDevices(this.#devices, claim, constraintsId, podGroup)
    if (!this.#reservations.isUsed) return
    const verdict = this.#reservations.verdict(claim, this.#problem.constraintsTable.get(constraintsId), this.#total)
    if (verdict !== 'refused') this.#reservations.hold(claim, verdict)
  }

  /** The state held to what can have the pod's devices. */
  #withDevices(
    from: ConstraintsId,
    variant: Variant,
    podGroup: PodGroup,
    alternative: number,
    claim: ClaimId,
  ): ConstraintsId {
    const joined = this.#narrowing.joined(from, variant, podGroup, alternative)
    if (joined === NO_CONSTRAINTS || this.#devices === undefined || podGroup.devices === undefined) return joined
    const isOpen = claim < this.#claims.size
    return this.#devices.narrow(hostOfClaim(this.#firstHost, claim), podGroup.devices, joined, this.#total, isOpen)
  }

  /** Takes a pod's devices for a claim, and gives back those of types that the claim has outgrown. */
  #settleDevices(devices: DeviceAllocation, claim: ClaimId, constraintsId: ConstraintsId, podGroup: PodGroup): void {
    const target = hostOfClaim(this.#firstHost, claim)
    if (podGroup.devices === undefined && !devices.holds(target)) return
    const types = fittingTypes(this.#problem.constraintsTable.get(constraintsId), this.#total).map(
      ({ type }) => type.name,
    )
    devices.keep(target, types)
    if (podGroup.devices !== undefined) devices.commit(target, types)
  }

  /** `minValues` and reservations, which ask for more than one offering that fits. */
  #isKept(constraintsId: ConstraintsId, claim: ClaimId): boolean {
    const constraints = this.#problem.constraintsTable.get(constraintsId)
    if (constraints.hasMinValues) {
      const types = fittingTypes(constraints, this.#total).map((type) => type.requirements)
      if (types.length === 0 || unmetMinValues(constraints.requirements, types).size > 0) return false
    }
    if (!this.#reservations.isUsed) return true
    return this.#reservations.verdict(claim, constraints, this.#total) !== 'refused'
  }

  /** What a state that a new claim might have comes to, if the pod fits it. */
  #constraintsOfNew(candidate: ConstraintsId): ConstraintsId | 'deferred' {
    if (!this.fits(candidate)) return NO_CONSTRAINTS
    const constraints = this.#withMinValues(candidate)
    if (constraints === NO_CONSTRAINTS || !this.#reservations.isUsed) return constraints
    const verdict = this.#reservations.verdict(undefined, this.#problem.constraintsTable.get(constraints), this.#total)
    return verdict === 'refused' ? 'deferred' : constraints
  }

  /** Whether the limits of its pool leave the open claim on trial a type that is large enough. */
  #isWithinLimits(constraintsId: ConstraintsId, claim: ClaimId): boolean {
    const constraints = this.#problem.constraintsTable.get(constraintsId)
    return this.#limits[constraints.index.template.index]?.mayBecome(claim, constraints, this.#total) ?? true
  }

  /** A new claim's state if its types reach `minValues`, or with `minValues` lowered to what they reach, as the policy says. */
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
