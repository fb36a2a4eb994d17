import type { Milliseconds } from '@kerf/apis'

/** If no search runs for longer than this, the recorded times of all nodes are reset, because Kerf may have missed changes in between. */
const LONGEST_GAP: Milliseconds = 60_000

/** The nodes that are worth disrupting, separately for moves of several nodes and moves of a single node. */
export interface Targets {
  /** The target: the nodes that consolidation would delete, one command after the other, if budgets did not limit it. */
  readonly together: TargetNodes
  /** Nodes that could each be consolidated alone. */
  readonly alone: TargetNodes
}

/**
 * Records, for each node, since when every search has found it worth disrupting. If that is longer than the validation wait, the node needs
 * no further wait, and Kerf may disrupt it as soon as a budget allows it.
 */
export class TargetNodes {
  #since = new Map<string, Milliseconds>()
  #updated: Milliseconds = Number.NEGATIVE_INFINITY

  /** Returns the nodes that the latest search found, or no nodes if that search was before `since`. */
  namesSince(since: Milliseconds): ReadonlySet<string> {
    return new Set(this.#updated < since ? [] : this.#since.keys())
  }

  /** Records the nodes that a search found, and removes all other nodes. */
  update(names: Iterable<string>, now: Milliseconds): void {
    const known = now - this.#updated > LONGEST_GAP ? new Map<string, Milliseconds>() : this.#since
    this.#since = new Map(Array.from(names, (name) => [name, known.get(name) ?? now]))
    this.#updated = now
  }

  /** Removes these nodes after a command with them was rejected. */
  forget(names: Iterable<string>): void {
    for (const name of names) this.#since.delete(name)
  }

  /** Returns how long every search has found the node. 0 if the latest search did not find it. */
  timeOf(name: string, now: Milliseconds): Milliseconds {
    const since = this.#since.get(name)
    return since === undefined || now - this.#updated > LONGEST_GAP ? 0 : now - since
  }
}
