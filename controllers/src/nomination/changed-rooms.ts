import type { Milliseconds } from '@kerf/apis'

/** How often it is looked, at the most, whether an open node still has room for the pods that wait for it: once for all of them. */
const INTERVAL: Milliseconds = 1_000

/** Which nodes have another room than when it was last looked at, for the pods that wait for them. */
export class ChangedRooms {
  readonly #seen = new Map<string, Milliseconds>()
  readonly #changed = new Set<string>()

  /** A pod came to the node that was not nominated for it, or one left. */
  change(node: string): void {
    this.#changed.add(node)
  }

  /** When whoever would wait so long has to ask again: sooner where the change was not looked at yet. */
  retryIn(node: string, wait: Milliseconds): Milliseconds {
    return this.#changed.has(node) ? Math.min(wait, INTERVAL) : wait
  }

  /** Whether the room is to be looked at now, and counts as seen: it never was, or has changed. `atOnce`: however short ago it was seen. */
  isDue(node: string, now: Milliseconds, atOnce: boolean): boolean {
    const seen = this.#seen.get(node)
    if (seen !== undefined && (!this.#changed.has(node) || (!atOnce && now - seen < INTERVAL))) return false
    this.#seen.set(node, now)
    this.#changed.delete(node)
    return true
  }

  /** The node is gone. */
  forget(node: string): void {
    this.#seen.delete(node)
    this.#changed.delete(node)
  }
}
