import { type Milliseconds, timeOf } from '@kerf/apis'

/** What of a node condition is read here. */
interface Sickness {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime?: string | null
}

/** What has been seen of one node. */
interface Seen {
  readonly healthyAt?: Milliseconds
  /** The change that each sick condition names, and when it was seen first. */
  readonly changes: ReadonlyMap<string, { readonly named: string; readonly at: Milliseconds }>
}

/**
 * Since when nodes are sick. A condition says when it changed by the clock of its node, which may be wrong; what this process
 * has seen bounds that: the node was well when it was last seen well, and sick when the change was first seen
 * (`docs/spec/time.md#clocks-of-others`).
 */
export class SicknessRecord {
  readonly #seen = new Map<string, Seen>()

  /** The node has no condition that calls for a repair. */
  healthy(node: string, now: Milliseconds): void {
    this.#seen.set(node, { healthyAt: now, changes: new Map() })
  }

  forget(node: string): void {
    this.#seen.delete(node)
  }

  /** Since when the node has the condition; undefined if the condition does not say. */
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
