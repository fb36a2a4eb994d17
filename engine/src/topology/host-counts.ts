/** Counts per host (a node or a claim), kept for the few hosts that have any. */
export class HostCounts {
  readonly #counts = new Map<number, number>()
  /** Hosts with a count above zero. */
  #occupied = 0

  get occupied(): number {
    return this.#occupied
  }

  get(host: number): number {
    return this.#counts.get(host) ?? 0
  }

  add(host: number, amount: number): void {
    const before = this.#counts.get(host) ?? 0
    const after = before + amount
    if (before === 0 && after > 0) this.#occupied++
    if (before > 0 && after === 0) this.#occupied--
    this.#counts.set(host, after)
  }

  hosts(): Iterable<number> {
    return this.#counts.keys()
  }

  clone(): HostCounts {
    const copy = new HostCounts()
    for (const [host, count] of this.#counts) if (count > 0) copy.add(host, count)
    return copy
  }
}
