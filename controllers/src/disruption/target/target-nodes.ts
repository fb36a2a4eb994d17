import type { Milliseconds } from '@kerf/apis'

/** Nodes that nobody asked about for so long have to stand anew: what happened meanwhile was not looked at. */
const LONGEST_GAP: Milliseconds = 60_000

/** The two kinds of moves that nodes stand for. */
export interface Targets {
  /** Of the target: the nodes that would be deleted, one command after the other, if budgets allowed them all at once. */
  readonly together: TargetNodes
  /** Those that could be consolidated each by itself. */
  readonly alone: TargetNodes
}

/**
 * Since when nodes have been found to be right to take, by every search anew. A node that stands for the time of a
 * validation has been right for as long as a command that waits for its own, so it may go as soon as a budget is free.
 */
export class TargetNodes {
  #since = new Map<string, Milliseconds>()
  #updated: Milliseconds = Number.NEGATIVE_INFINITY

  /** The nodes that the latest search found, if that was not before `since`. */
  namesSince(since: Milliseconds): ReadonlySet<string> {
    return new Set(this.#updated < since ? [] : this.#since.keys())
  }

  /** A search found these nodes. All others have to stand anew. */
  update(names: Iterable<string>, now: Milliseconds): void {
    const known = now - this.#updated > LONGEST_GAP ? new Map<string, Milliseconds>() : this.#since
    this.#since = new Map(Array.from(names, (name) => [name, known.get(name) ?? now]))
    this.#updated = now
  }

  /** A command with these nodes did not hold: they have to stand anew. */
  forget(names: Iterable<string>): void {
    for (const name of names) this.#since.delete(name)
  }

  /** For how long a node has been right to take. */
  timeOf(name: string, now: Milliseconds): Milliseconds {
    const since = this.#since.get(name)
    return since === undefined || now - this.#updated > LONGEST_GAP ? 0 : now - since
  }
}
