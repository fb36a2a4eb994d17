import type { DeviceRun } from '../devices/device-run.ts'
import { fittingTypes } from '../instance-types/fitting-types.ts'
import { NO_STATE } from '../model/claim-constraints.ts'
import type { PodClass, Variant } from '../model/pod-group.ts'
import type { World } from '../problem/problem.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import type { TopologyCounts } from '../topology/counts.ts'
import type { ClaimTable } from './claim-table.ts'
import { Narrowing } from './narrowing.ts'
import type { Reservations } from './reservations.ts'

/** What a trial is held to, beside the world. */
interface TrialParts {
  readonly claims: ClaimTable
  readonly counts: TopologyCounts
  readonly reservations: Reservations
  readonly devices: DeviceRun | undefined
}

/**
 * Whether a claim, open or new, can take one more pod, and the state it would be in then: narrowed, with a type that has
 * the room, the pod's devices, `minValues` and reservations. A trial begins with what the claim's pods would ask for
 * together, which holds until the next one.
 */
export class ClaimTrial {
  readonly #world: World
  readonly #claims: ClaimTable
  readonly #reservations: Reservations
  readonly #devices: DeviceRun | undefined
  /** The number among hosts of the first claim. */
  readonly #firstHost: number
  readonly #narrowing: Narrowing
  /** What the pods of the claim on trial ask for together. */
  readonly #total: Float64Array

  constructor(world: World, { claims, counts, reservations, devices }: TrialParts) {
    this.#world = world
    this.#claims = claims
    this.#reservations = reservations
    this.#devices = devices
    this.#firstHost = world.nodes.length
    this.#narrowing = new Narrowing(world.states, counts)
    this.#total = new Float64Array(claims.width)
  }

  /** Forgets what was found out for the pod before. */
  begin(): void {
    this.#narrowing.begin()
  }

  /** The state after requirements, the first alternative of volumes, and the best choice of domains. */
  narrowed(from: number, variant: Variant, podClass: PodClass): number {
    return this.#narrowing.best(from, variant, podClass, 0)
  }

  /** Puts an open claim on trial with a pod that asks for `row`. */
  join(claim: number, row: Float64Array): void {
    const { width, used } = this.#claims
    const start = claim * width
    for (let column = 0; column < width; column++)
      this.#total[column] = (used[start + column] ?? 0) + (row[column] ?? 0)
  }

  /** Whether some type of a state has the room. */
  fits(stateId: number): boolean {
    const { front, frontSize } = this.#world.states.get(stateId)
    const { width } = this.#claims
    for (let place = 0; place < frontSize; place++) {
      let column = 0
      while (column < width && (this.#total[column] ?? 0) <= (front[place * width + column] ?? 0)) column++
      if (column === width) return true
    }
    return false
  }

  /** The state that the claim on trial would be in with the pod, or `NO_STATE` if that cannot be. */
  joined(from: number, variant: Variant, podClass: PodClass, claim: number): number {
    const alternatives = Math.max(1, podClass.volumeAlternatives.length)
    for (let alternative = 0; alternative < alternatives; alternative++) {
      const base =
        podClass.devices === undefined ? from : this.#withDevices(from, variant, podClass, alternative, claim)
      if (base === NO_STATE) continue
      const to = this.#narrowing.best(base, variant, podClass, alternative)
      if (to !== NO_STATE && this.fits(to) && this.#isKept(to, claim)) return to
    }
    return NO_STATE
  }

  /**
   * The state of a new claim with the pod: each alternative of its volumes, each domain its topology allows, best first.
   * `deferred`: reserved capacity would serve the pod but is taken.
   */
  opened(root: number, variant: Variant, podClass: PodClass): number | 'deferred' {
    this.#total.set(podClass.row)
    const alternatives = Math.max(1, podClass.volumeAlternatives.length)
    for (let alternative = 0; alternative < alternatives; alternative++) {
      const { size } = this.#claims
      const base = podClass.devices === undefined ? root : this.#withDevices(root, variant, podClass, alternative, size)
      if (base === NO_STATE) continue
      // The best choice is the first of all, and mostly good.
      const best = this.#narrowing.best(base, variant, podClass, alternative)
      const first = best === NO_STATE ? NO_STATE : this.#openState(best)
      if (first !== NO_STATE) return first
      for (const candidate of this.#narrowing.all(base, variant, podClass, alternative)) {
        const state = candidate === best ? NO_STATE : this.#openState(candidate)
        if (state !== NO_STATE) return state
      }
    }
    return NO_STATE
  }

  /** Takes devices and reservations for the claim on trial, which is in this state with the pod now. */
  settle(claim: number, stateId: number, podClass: PodClass): void {
    if (this.#devices !== undefined) this.#settleDevices(this.#devices, claim, stateId, podClass)
    if (!this.#reservations.isUsed) return
    const verdict = this.#reservations.verdict(claim, this.#world.states.get(stateId), this.#total)
    if (verdict !== 'refused') this.#reservations.hold(claim, verdict)
  }

  /** The state held to what can have the pod's devices. */
  #withDevices(from: number, variant: Variant, podClass: PodClass, alternative: number, claim: number): number {
    const joined = this.#narrowing.joined(from, variant, podClass, alternative)
    if (joined === NO_STATE || this.#devices === undefined || podClass.devices === undefined) return joined
    const isOpen = claim < this.#claims.size
    return this.#devices.narrow(this.#firstHost + claim, podClass.devices, joined, this.#total, isOpen)
  }

  /** Takes a pod's devices for a claim, and gives back those of types that the claim has outgrown. */
  #settleDevices(devices: DeviceRun, claim: number, stateId: number, podClass: PodClass): void {
    const target = this.#firstHost + claim
    if (podClass.devices === undefined && !devices.holds(target)) return
    const types = fittingTypes(this.#world.states.get(stateId), this.#total).map(({ type }) => type.name)
    devices.keep(target, types)
    if (podClass.devices !== undefined) devices.commit(target, types)
  }

  /** `minValues` and reservations, which ask for more than one offering that fits. */
  #isKept(stateId: number, claim: number): boolean {
    const state = this.#world.states.get(stateId)
    if (state.hasMinValues) {
      const types = fittingTypes(state, this.#total).map((type) => type.requirements)
      if (types.length === 0 || unmetMinValues(state.requirements, types).size > 0) return false
    }
    if (!this.#reservations.isUsed) return true
    return this.#reservations.verdict(claim, state, this.#total) !== 'refused'
  }

  /** What a state that a new claim might have comes to, if the pod fits it. */
  #openState(candidate: number): number | 'deferred' {
    if (!this.fits(candidate)) return NO_STATE
    const state = this.#withMinValues(candidate)
    if (state === NO_STATE || !this.#reservations.isUsed) return state
    const verdict = this.#reservations.verdict(undefined, this.#world.states.get(state), this.#total)
    return verdict === 'refused' ? 'deferred' : state
  }

  /** A new claim's state if its types reach `minValues`, or with `minValues` lowered to what they reach, as the policy says. */
  #withMinValues(stateId: number): number {
    const { states, options } = this.#world
    const state = states.get(stateId)
    if (!state.hasMinValues) return stateId
    const types = fittingTypes(state, this.#total).map((type) => type.requirements)
    const unmet = unmetMinValues(state.requirements, types)
    if (unmet.size === 0) return types.length > 0 ? stateId : NO_STATE
    if (options.minValuesPolicy !== 'BestEffort') return NO_STATE
    let relaxed = stateId
    for (const [key, reached] of unmet) {
      relaxed = states.replace(relaxed, state.requirements.get(key).withMinValues(reached))
    }
    return relaxed
  }
}
