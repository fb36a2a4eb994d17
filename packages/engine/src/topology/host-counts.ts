import type { HostId } from '../model/ids.ts'
/**
 * The number of pods per host (a node or a claim). Only hosts with pods have an entry. An object can be based on another one, which it does
 * not change.
 */
export class HostCounts {
  readonly #base: HostCounts | undefined
  readonly #counts = new Map<HostId, number>()
  /** The number of hosts with a count above zero. */
  #occupied: number

  constructor(base?: HostCounts) {
    this.#base = base
    this.#occupied = base?.occupied ?? 0
  }

  get occupied(): number {
    return this.#occupied
  }

  get(host: HostId): number {
    return this.#counts.get(host) ?? this.#base?.get(host) ?? 0
  }

  add(host: HostId, amount: number): void {
    const before = this.get(host)
    const after = before + amount
    if (before <= 0 && after > 0) this.#occupied++
    if (before > 0 && after <= 0) this.#occupied--
    this.#counts.set(host, after)
  }

  /** Yields the hosts that have or had a count. Some may occur twice. */
  *hosts(): Iterable<HostId> {
    yield* this.#counts.keys()
    if (this.#base !== undefined) yield* this.#base.hosts()
  }
}
