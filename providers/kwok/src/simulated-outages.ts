import type { OfferingPattern } from '@kerf/provider-contract'
import { isMeantBy } from '@kerf/provider-kit'

/** The calls of the simulated cloud that can fail. */
export type CloudCall = 'launch' | 'terminate' | 'describe' | 'list'

interface PlannedFailure {
  readonly call: CloudCall
  readonly error: Error
}

/**
 * Injects failures for simulations and tests: offerings without capacity, failing calls, and instances that are missing in a listing. By
 * default, nothing fails.
 */
export class SimulatedOutages {
  readonly #stockOuts: OfferingPattern[] = []
  readonly #broken = new Map<CloudCall, Error>()
  #failures: PlannedFailure[] = []
  readonly #calls: CloudCall[] = []

  /** Removes the capacity of all offerings that match the pattern. */
  stockOut(pattern: OfferingPattern): void {
    this.#stockOuts.push(pattern)
  }

  /** Restores all capacity. */
  restock(): void {
    this.#stockOuts.length = 0
  }

  /** Makes the next call of this kind fail with the error. Repeated use for the same kind affects consecutive calls. */
  failNext(call: CloudCall, error: Error): void {
    this.#failures.push({ call, error })
  }

  /** Makes every call of this kind fail with the error until `recover` is called. */
  breakDown(call: CloudCall, error: Error): void {
    this.#broken.set(call, error)
  }

  /** Ends all injected failures of calls. */
  recover(): void {
    this.#broken.clear()
    this.#failures = []
  }

  /** The calls that were made so far. */
  get calls(): readonly CloudCall[] {
    return this.#calls
  }

  hasCapacity(offering: Required<OfferingPattern>): boolean {
    return !this.#stockOuts.some((pattern) => isMeantBy(pattern, offering))
  }

  /** Records the call, and throws the injected error for it, if there is one. */
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
