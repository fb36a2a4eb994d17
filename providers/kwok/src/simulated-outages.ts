import type { OfferingPattern } from '@kerf/provider-contract'
import { isMeantBy } from '@kerf/provider-kit'

/** The calls of the simulated cloud that can be made to fail. */
export type CloudCall = 'launch' | 'terminate' | 'describe' | 'list'

interface PlannedFailure {
  readonly call: CloudCall
  readonly error: Error
}

/**
 * Failures to order: offerings without capacity, calls that fail, instances that a listing misses. For simulations and
 * tests; a provider without orders never fails by itself.
 */
export class SimulatedOutages {
  readonly #stockOuts: OfferingPattern[] = []
  readonly #broken = new Map<CloudCall, Error>()
  #failures: PlannedFailure[] = []
  readonly #calls: CloudCall[] = []

  /** Takes the capacity of all offerings that agree with the pattern away. */
  stockOut(pattern: OfferingPattern): void {
    this.#stockOuts.push(pattern)
  }

  /** Brings all capacity back. */
  restock(): void {
    this.#stockOuts.length = 0
  }

  /** The next call of that kind answers the error. Orders for one kind are served in turn. */
  failNext(call: CloudCall, error: Error): void {
    this.#failures.push({ call, error })
  }

  /** Every call of that kind answers the error, until `recover`. */
  breakDown(call: CloudCall, error: Error): void {
    this.#broken.set(call, error)
  }

  /** Takes all orders for failing calls back. */
  recover(): void {
    this.#broken.clear()
    this.#failures = []
  }

  /** The calls so far. */
  get calls(): readonly CloudCall[] {
    return this.#calls
  }

  hasCapacity(offering: Required<OfferingPattern>): boolean {
    return !this.#stockOuts.some((pattern) => isMeantBy(pattern, offering))
  }

  /** Notes the call, and throws what was ordered for it. */
  before(call: CloudCall): void {
    this.#calls.push(call)
    const broken = this.#broken.get(call)
    if (broken !== undefined) throw broken
    const failure = this.#failures.find((planned) => planned.call === call)
    if (failure === undefined) return
    this.#failures = this.#failures.filter((planned) => planned !== failure)
    throw failure.error
  }
}
