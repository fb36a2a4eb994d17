import { type Milliseconds, timeOf } from '@kerf/apis'

/** The fields of a node condition that are read here. */
interface Sickness {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime?: string | null
}

/** The observations of one node. */
interface Seen {
  readonly healthyAt?: Milliseconds
  /** The transition time of each unhealthy condition, and when it was first seen. */
  readonly changes: ReadonlyMap<string, { readonly named: string; readonly at: Milliseconds }>
}

/**
 * Since when nodes are unhealthy. The transition time of a condition comes from the clock of the node, which may be wrong. It
 * is limited by observations of this process: the node was healthy when it was last seen healthy, and unhealthy when the
 * change was first seen (`docs/spec/time.md#clocks-of-others`).
 */
export class SicknessRecord {
  readonly #seen = new Map<string, Seen>()

  /** Records that the node has no condition that requires a repair. */
  healthy(node: string, now: Milliseconds): void {
    this.#seen.set(node, { healthyAt: now, changes: new Map() })
  }

  forget(node: string): void {
    this.#seen.delete(node)
  }

  /** Returns since when the node has the condition. Undefined if the condition has no transition time. */
  begun(node: string, { type, status, lastTransitionTime }: Sickness, now: Milliseconds): Milliseconds | undefined {
    const named = timeOf(lastTransitionTime)
    if (named === undefined) return undefined
    const seen = this.#seen.get(node)
    const key = `${type}=${status}`
    const change = seen?.changes.get(key)
    const first =
      change !== undefined && change.named === lastTransitionTime
        ? change
        : { named: String(lastTransitionTime), at: now }
    this.#seen.set(node, { ...seen, changes: new Map(seen?.changes).set(key, first) })
    return Math.min(Math.max(named, seen?.healthyAt ?? named), first.at)
  }
}
