import type { Milliseconds } from '@kerf/apis'

/**
 * If no search runs for longer than this, the recorded times of all nodes start again, because changes in between may have gone unnoticed.
 */
const LONGEST_GAP: Milliseconds = 60_000

/** The nodes that are worth disrupting, together or one by one. */
export interface Targets {
  /** The target: the nodes that consolidation would delete, one command after the other, if budgets allowed it. */
  readonly together: TargetNodes
  /** Nodes that could be consolidated one by one. */
  readonly alone: TargetNodes
}

/**
 * Records, for each node, since when every search has found it worth disrupting. If this is longer than a validation takes, the node needs
 * no further validation wait and may be disrupted as soon as a budget allows it.
 */
export class TargetNodes {
  #since = new Map<string, Milliseconds>()
  #updated: Milliseconds = Number.NEGATIVE_INFINITY

  /** Returns the nodes that the latest search found. Returns none if that search was before `since`. */
  namesSince(since: Milliseconds): ReadonlySet<string> {
    return new Set(this.#updated < since ? [] : this.#since.keys())
  }

  /** Records the nodes that a search found, and removes the times of all other nodes. */
  update(names: Iterable<string>, now: Milliseconds): void {
    const known = now - this.#updated > LONGEST_GAP ? new Map<string, Milliseconds>() : this.#since
    this.#since = new Map(Array.from(names, (name) => [name, known.get(name) ?? now]))
    this.#updated = now
  }

  /** Removes the times of these nodes, because a command with them was rejected. */
  forget(names: Iterable<string>): void {
    for (const name of names) this.#since.delete(name)
  }

  /** Returns for how long every search has found the node. */
  timeOf(name: string, now: Milliseconds): Milliseconds {
    const since = this.#since.get(name)
    return since === undefined || now - this.#updated > LONGEST_GAP ? 0 : now - since
  }
}
