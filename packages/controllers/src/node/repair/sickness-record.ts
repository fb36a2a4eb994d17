import { type Milliseconds, parseTime } from '@kerf/apis'

/** The fields of a node condition that `SicknessRecord` reads. */
interface Sickness {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime?: string | null
}

/** What this process has observed about one node. */
interface Seen {
  readonly healthyAt?: Milliseconds
  /** For each unhealthy condition, its transition time and the time when this process first saw it. */
  readonly changes: ReadonlyMap<string, { readonly named: string; readonly at: Milliseconds }>
}

/**
 * Determines since when nodes have been unhealthy. The transition time of a condition comes from the node's clock, which may be wrong. The
 * result is therefore never earlier than the time when the node was last seen healthy, and never later than the time when this process
 * first saw the condition (`docs/spec/time.md#clocks-of-others`).
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

  /** Returns since when the node has had the condition, or undefined if the condition has no transition time. */
  begun(node: string, { type, status, lastTransitionTime }: Sickness, now: Milliseconds): Milliseconds | undefined {
    const named = parseTime(lastTransitionTime)
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
