import type { NodePool } from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'

/** A previous value, and the last time at which it applied. */
export interface Past<T> {
  readonly value: T
  readonly until: number
}

/** Stores previous versions of NodePools, because Kerf may have based a decision on one of them. */
export class PoolHistory {
  readonly #environment: Environment
  readonly #past = new Map<string, Past<NodePool>[]>()
  #latest = new Map<string, NodePool>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  note(): void {
    const now = this.#environment.clock.monotonic()
    const pools = new Map(this.#environment.nodePools().map((pool) => [pool.metadata.name, pool]))
    for (const [name, before] of this.#latest) {
      if (pools.get(name)?.metadata.resourceVersion === before.metadata.resourceVersion) continue
      this.#past.set(name, [...(this.#past.get(name) ?? []), { value: before, until: now }])
    }
    this.#latest = pools
  }

  /** Returns the NodePool's current version, and all versions that were current within the last `duration`. */
  within(name: string, duration: number): readonly NodePool[] {
    const since = this.#environment.clock.monotonic() - duration
    const now = this.#latest.get(name)
    return [
      ...(now === undefined ? [] : [now]),
      ...(this.#past.get(name) ?? []).filter(({ until }) => until >= since).map(({ value }) => value),
    ]
  }
}
